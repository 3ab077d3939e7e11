import Foundation
import ODataKit

/// Standard output and standard error.
struct Console: Sendable {
  /// Whether someone watches standard error, so that progress is of use.
  let showsProgress = isatty(STDERR_FILENO) == 1

  /// Prints text; throws if it cannot be written, e.g. because the disk behind a redirection is full.
  func print(_ text: String, terminator: String = "\n") throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((text + terminator).utf8))
    } catch {
      throw Failure("The output cannot be written: \(systemReason(error)).")
    }
  }

  /// Writes to standard error, where nothing can be done about a failure.
  func note(_ text: String) { note(Array(text.utf8)) }

  /// Writes bytes as they are to standard error.
  func note(_ bytes: [UInt8]) { try? FileHandle.standardError.write(contentsOf: Data(bytes)) }

  /// Shows how far something is, in one line that is written over and over; an empty text clears it.
  func progress(_ text: String) {
    if showsProgress { note("\r\u{1B}[K\(text)") }
  }
}

/// An error of the program's own, in one sentence that says what to do.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// What the system says of a file, without Foundation's wrapping: "Permission denied".
func systemReason(_ error: any Error) -> String {
  var error = error
  while let inner = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error { error = inner }
  let system = error as NSError
  return system.domain == NSPOSIXErrorDomain
    ? String(cString: strerror(Int32(system.code))) : system.localizedDescription
}
