// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// For the targets that call C directly: every dangerous expression is spelled `unsafe`.
let strict = settings + [.strictMemorySafety()]

let package = Package(
  name: "ODataKit",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ODataKit", targets: ["ODataKit"]),
    .library(name: "AzureTable", targets: ["AzureTable"]),
    .library(name: "TableEmulator", targets: ["TableEmulator"]),
    .executable(name: "tablectl", targets: ["tablectl"]),
    .executable(name: "BookShelf", targets: ["BookShelf"]),
  ],
  targets: [
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CLibXML", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),

    .target(name: "CurlTransport", dependencies: ["CCurl"], swiftSettings: strict),
    .target(name: "ODataKit", dependencies: ["CurlTransport", "CLibXML"], swiftSettings: settings),
    .target(
      name: "AzureTable",
      dependencies: ["ODataKit", .target(name: "COpenSSL", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),
    .target(
      name: "TableEmulator",
      dependencies: ["AzureTable", "ODataKit", "CurlTransport", "CSQLite", "CMicroHTTPD"],
      swiftSettings: settings),

    .executableTarget(
      name: "tablectl", dependencies: ["TableEmulator", "AzureTable", "ODataKit"], swiftSettings: settings),
    .executableTarget(
      name: "BookShelf", dependencies: ["TableEmulator", "AzureTable", "ODataKit"],
      path: "Examples/BookShelf",
      swiftSettings: settings),

    .target(
      name: "ODataTestSupport", dependencies: ["ODataKit"], path: "Tests/ODataTestSupport",
      swiftSettings: settings),
    .testTarget(
      name: "CurlTransportTests", dependencies: ["CurlTransport", "ODataTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "ODataKitTests", dependencies: ["ODataKit", "CLibXML", "ODataTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "AzureTableTests", dependencies: ["AzureTable", "ODataKit", "ODataTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "TableEmulatorTests",
      dependencies: ["TableEmulator", "AzureTable", "ODataKit", "ODataTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CommandTests",
      dependencies: ["BookShelf", "tablectl", "TableEmulator", "AzureTable", "ODataKit", "ODataTestSupport"],
      swiftSettings: settings),
    // Without access to what is shared inside of the package: it sees what users of the library see.
    .testTarget(
      name: "IntegrationTests", dependencies: ["ODataKit"], packageAccess: false, swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
