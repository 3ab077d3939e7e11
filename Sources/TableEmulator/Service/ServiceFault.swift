internal import ODataKit

/// A refusal as the service words it: status, code and text of "Table service error codes" and "Common REST API
/// error codes", and of recorded answers where those differ (the misspelt "specifed" is the service's).
struct ServiceFault: Error, Hashable {
  let status: Int
  let code: String
  let message: String

  init(_ status: Int, _ code: String, _ message: String) {
    self.status = status
    self.code = code
    self.message = message
  }

  /// Whether the refusal comes from what is stored rather than from what was sent. In a change set the service
  /// leaves the index away from these when the first operation fails.
  var isConflictWithStored: Bool {
    self == .entityAlreadyExists || self == .updateConditionNotSatisfied || self == .resourceNotFound
  }
}

// Tables and entities.
extension ServiceFault {
  static let tableAlreadyExists = Self(409, "TableAlreadyExists", "The table specified already exists.")
  static let tableNotFound = Self(404, "TableNotFound", "The table specified does not exist.")
  static let entityAlreadyExists = Self(409, "EntityAlreadyExists", "The specified entity already exists.")
  static let resourceNotFound = Self(404, "ResourceNotFound", "The specified resource does not exist.")
  static let updateConditionNotSatisfied = Self(
    412, "UpdateConditionNotSatisfied", "The update condition specified in the request was not satisfied.")
  static let propertiesNeedValue = Self(
    400, "PropertiesNeedValue", "The values are not specified for all properties in the entity.")
  static let partitionKeyCannotBeUpdated = Self(
    400, "PartitionKeyPropertyCannotBeUpdated", "The partition key property cannot be updated.")
  static let rowKeyCannotBeUpdated = Self(
    400, "PrimaryKeyPropertyCannotBeUpdated", "The row key property cannot be updated.")
  static let primaryKeyIsInvalidType = Self(
    400, "PrimaryKeyPropertyIsInvalidType", "The primary key property is not of type Edm.String.")
  static let propertyNameInvalid = Self(400, "PropertyNameInvalid", "The property name is invalid.")
  static let propertyNameTooLong = Self(
    400, "PropertyNameTooLong", "The property name exceeds the maximum allowed length (255).")
  static let propertyValueTooLarge = Self(
    400, "PropertyValueTooLarge",
    "The property value exceeds the maximum allowed size (64KB). If the property value is a string, it is UTF-16 "
      + "encoded and the maximum number of characters should be 32K or less.")
  static let keyValueTooLarge = Self(
    400, "KeyValueTooLarge", "The key value exceeds the maximum allowed size (1KB).")
  static let entityTooLarge = Self(
    400, "EntityTooLarge", "The entity is larger than the maximum allowed size (1MB).")
  static let tooManyProperties = Self(
    400, "TooManyProperties",
    "The entity contains more properties than allowed. Each entity can include up to 252 properties to store data. "
      + "Each entity also has 3 system properties.")
  static let invalidValueType = Self(400, "InvalidValueType", "The value specified is invalid.")
  static let invalidResourceName = Self(
    400, "InvalidResourceName", "The specifed resource name contains invalid characters.")
  static let resourceNameLength = Self(
    400, "OutOfRangeInput", "The specified resource name length is not within the permissible limits.")

  static func outOfRange(_ parameter: String, value: String) -> Self {
    Self(400, "OutOfRangeInput", "The '\(parameter)' parameter of value '\(value)' is out of range.")
  }
}

// Batches.
extension ServiceFault {
  static let invalidDuplicateRow = Self(
    400, "InvalidDuplicateRow",
    "The batch request contains multiple changes with same row key. An entity can appear only once in a batch request."
  )
  static let differentPartitions = Self(
    400, "CommandsInBatchActOnDifferentPartitions",
    "All commands in a batch must operate on same entity group.")
  static let tooManyOperations = Self(
    400, "InvalidInput", "The batch request operation exceeds the maximum 100 changes per change set.")
  static let requestBodyTooLarge = Self(
    413, "RequestBodyTooLarge", "The request body is too large and exceeds the maximum permissible limit.")

  /// The same fault with the zero-based index of the operation in front of its text.
  func atOperation(_ index: Int) -> Self { Self(status, code, "\(index):\(message)") }
}

// Requests.
extension ServiceFault {
  /// The service's text for bodies it cannot make sense of.
  static let invalidInput = Self(400, "InvalidInput", "An error occurred while processing this request.")
  static let inputNotValid = Self(400, "InvalidInput", "One of the request inputs is not valid.")
  static let querySyntax = Self(400, "InvalidInput", "Bad Request - Error in query syntax.")
  static let invalidUri = Self(
    400, "InvalidUri", "The requested URI does not represent any resource on the server.")
  static let urlFailedToParse = Self(
    400, "RequestUrlFailedToParse", "The url in the request could not be parsed.")
  static let invalidHeaderValue = Self(
    400, "InvalidHeaderValue", "The value for one of the HTTP headers is not in the correct format.")
  static let missingRequiredHeader = Self(
    400, "MissingRequiredHeader", "An HTTP header that's mandatory for this request is not specified.")
  static let invalidQueryParameterValue = Self(
    400, "InvalidQueryParameterValue",
    "Value for one of the query parameters specified in the request URI is invalid.")
  static let ifNoneMatchOnPut = Self(
    400, "InvalidInput", "If-None-Match HTTP header cannot be specified for PUT operations.")
  static let ifNoneMatchOnDelete = Self(
    400, "InvalidInput", "If-None-Match HTTP header cannot be specified for DELETE operations.")
  static let bothMatchHeaders = Self(
    400, "InvalidInput",
    "Both If-Match and If-None-Match HTTP headers cannot be specified at the same time. Please specify either one of "
      + "the headers or none of them.")
  static let xMethodIncorrectCount = Self(
    400, "XMethodIncorrectCount", "More than one X-HTTP-Method is specified.")
  static let xMethodIncorrectValue = Self(
    400, "XMethodIncorrectValue", "The specified X-HTTP-Method is invalid.")
  static let xMethodNotUsingPost = Self(
    400, "XMethodNotUsingPost", "The request uses X-HTTP-Method with an HTTP verb other than POST.")
  static let methodNotAllowed = Self(
    405, "MethodNotAllowed", "The requested method is not allowed on the specified resource.")
  static let unsupportedHttpVerb = Self(
    405, "UnsupportedHttpVerb", "The resource doesn't support the specified HTTP verb.")
  static let atomFormatNotSupported = Self(415, "AtomFormatNotSupported", "Atom format is not supported.")
  static let jsonFormatNotSupported = Self(415, "JsonFormatNotSupported", "JSON format is not supported.")
  static let jsonVerboseFormatNotSupported = Self(
    415, "JsonVerboseFormatNotSupported", "JSON Verbose format is not supported.")
  static let mediaTypeNotSupported = Self(
    415, "MediaTypeNotSupported", "None of the provided media types are supported")
  static let notImplemented = Self(
    501, "NotImplemented", "The requested operation is not implemented on the specified resource.")

  static func invalidEntityTag(_ value: String) -> Self {
    Self(
      400, "InvalidInput",
      "The etag value '\(value)' specified in one of the request headers is not valid. Please make sure only one "
        + "etag value is specified and is valid.")
  }
}

// Access, and the store.
extension ServiceFault {
  static let authenticationFailed = Self(
    403, "AuthenticationFailed",
    "Server failed to authenticate the request. Make sure the value of Authorization header is formed correctly "
      + "including the signature.")
  static let insufficientAccountPermissions = Self(
    403, "InsufficientAccountPermissions",
    "The account being accessed does not have sufficient permissions to execute this operation.")

  /// What an error of the store means to a client: a lock passes, so that it is worth another try; the rest does
  /// not go away by itself. The sentence is the store's.
  init(store error: ODataError) {
    if error.code == .storeLocked {
      self.init(503, "ServerBusy", error.message)
    } else {
      self.init(500, "InternalError", error.message)
    }
  }
}
