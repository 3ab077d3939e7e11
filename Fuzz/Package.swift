// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses or builds the library builds this. The library's sources are compiled
// into it (`Library` links to `../Sources`) rather than imported from the package above: that makes the readers, which
// are `package`, visible, and lets them be built with the coverage that the fuzzer follows.

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(name: "CCurl", path: "Library/CCurl", pkgConfig: "libcurl"),
    .systemLibrary(name: "CLibXML", path: "Library/CLibXML", pkgConfig: "libxml-2.0"),
    .target(
      name: "CurlTransport", dependencies: ["CCurl"], path: "Library/CurlTransport",
      swiftSettings: settings + [.strictMemorySafety()]),
    .target(
      name: "ODataKit", dependencies: ["CurlTransport", "CLibXML"], path: "Library/ODataKit",
      swiftSettings: settings),
    .executableTarget(name: "ODataFuzz", dependencies: ["ODataKit"], swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
