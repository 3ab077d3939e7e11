internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

exit(Command.run(Array(CommandLine.arguments.dropFirst())))
