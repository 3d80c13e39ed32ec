// swift-tools-version: 6.0
import PackageDescription

/// Settings of every Swift target: Swift 6 mode comes with the tools version.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

func library(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
  name: "soundgate",
  products: [.executable(name: "soundgate", targets: ["soundgate"])],
  targets: [
    // C libraries, all from the distribution.
    library("CDBus", pkgConfig: "dbus-1", apt: "libdbus-1-dev"),
    library("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
    library("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    library("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
    library("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
    library("CSodium", pkgConfig: "libsodium", apt: "libsodium-dev"),
    library("COpenSSL", pkgConfig: "libcrypto", apt: "libssl-dev"),
    .systemLibrary(name: "CLinux"),

    // Values and rules; what the process asks of the machine; what people read.
    module("Domain"),
    module("Host", ["CLinux"]),
    module("Texts", ["Domain"]),

    // One boundary each.
    module("Storage", ["Domain", "Host", "CSQLite"]),
    module("Bluetooth", ["Domain", "Host", "CDBus"]),
    module("MQTT", ["Domain", "Host", "Crypto", "CMosquitto"]),
    module("HTTPClient", ["Domain", "Host", "CCurl"]),
    module("Crypto", ["Domain", "Host", "CSodium", "COpenSSL"]),

    // Loops, routes, program.
    module("Simulator", ["Domain", "Host", "Bluetooth", "MQTT"]),
    module("Services", ["Domain", "Host", "Storage", "Crypto", "Texts"]),
    module("Web", ["Domain", "Host", "Storage", "Services", "Crypto", "Texts", "CMicroHTTPD"]),
    .executableTarget(
      name: "soundgate",
      dependencies: [
        "Domain", "Host", "Texts", "Storage", "Bluetooth", "MQTT", "HTTPClient", "Crypto",
        "Simulator", "Services", "Web",
      ],
      swiftSettings: settings),

    .target(
      name: "TestSupport",
      dependencies: [
        "Domain", "Host", "Texts", "Storage", "Bluetooth", "MQTT", "Simulator", "Crypto",
      ],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("DomainTests", ["Domain", "TestSupport"]),
    tests("HostTests", ["Host", "TestSupport"]),
    tests("TextsTests", ["Texts", "Domain"]),
    tests("CryptoTests", ["Crypto", "Domain", "Host", "TestSupport"]),
    tests("StorageTests", ["Storage", "Domain", "Host", "TestSupport"]),
    tests("BluetoothTests", ["Bluetooth", "Domain", "Host", "Simulator", "TestSupport"]),
    tests("MQTTTests", ["MQTT", "Domain", "Host", "Crypto", "Simulator", "TestSupport"]),
    tests(
      "HTTPClientTests", ["HTTPClient", "Domain", "Host", "Crypto", "Simulator", "TestSupport"]),
    tests(
      "SimulatorTests",
      ["Simulator", "Bluetooth", "MQTT", "Crypto", "Domain", "Host", "TestSupport"]),
    tests(
      "ServicesTests",
      ["Services", "Storage", "Domain", "Host", "Crypto", "Texts", "TestSupport"]),
    tests(
      "WebTests",
      ["Web", "Services", "Storage", "HTTPClient", "Domain", "Host", "Texts", "TestSupport"]),
    tests(
      "CommandTests",
      ["soundgate", "Domain", "Host", "Texts", "Web", "TestSupport"]),
    tests(
      "AcceptanceTests",
      [
        "soundgate", "Domain", "Host", "Texts", "Storage", "Crypto", "Bluetooth", "MQTT",
        "HTTPClient", "Simulator", "Services", "Web", "TestSupport",
      ]),
    tests("ArchitectureTests", []),
    tests("Benchmarks", ["Domain", "Storage", "TestSupport"]),
  ]
)
