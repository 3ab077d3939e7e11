import Foundation

/// What libFuzzer calls for every input. Which target runs is chosen once, by the environment, since libFuzzer takes
/// all arguments for its own.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(FuzzInput(Array(UnsafeBufferPointer(start: start, count: count))))
  return 0
}

private let targets: [String: @Sendable (FuzzInput) -> Void] = [
  "atom": fuzzAtom, "json": fuzzJSON, "batch-response": fuzzBatchResponse, "batch-request": fuzzBatchRequest,
  "batch-json": fuzzJSONBatch, "csdl": fuzzMetadata, "error": fuzzServiceError, "filter": fuzzFilter,
]

private let target: @Sendable (FuzzInput) -> Void = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
  guard let target = targets[name] else {
    fatalError("FUZZ_TARGET has to name one of: \(targets.keys.sorted().joined(separator: ", ")).")
  }
  return target
}()
