// swift-tools-version: 6.1
import PackageDescription

// The manifest is the plan of the house: a wing is a folder under Sources, a target inside it is a room,
// and a room imports only rooms that stand above it here (ARCHITECTURE.md).
//
// The trait `Server`, on by default, guards every dependency that only the server needs. An app that adds this
// package with `traits: []` resolves and builds swift-crypto and nothing else (docs/decisions/0001).
//
// The trait `Postgres`, on by default, puts the PostgreSQL engine into the programs. Without it (`--traits Server`)
// nothing links libpq, and none need be installed.
//
// The trait `FeatureOverrides`, off by default, is for internal builds of apps (docs/switches.md).

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func server(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Server"]))
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")

let postgres: Target.Dependency = .target(name: "NephosPostgres", condition: .when(traits: ["Postgres"]))

/// Where the system has no module of this name (docs/client.md).
let cloudKit: Target.Dependency = .target(name: "CloudKit", condition: .when(platforms: [.linux]))

let coreLocation: Target.Dependency = .target(name: "CoreLocation", condition: .when(platforms: [.linux]))

func room(_ wing: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(wing)/\(name)", swiftSettings: strict)
}

/// A folder below `Sources/Features`: it imports the runner's room, what that imports, and `Charts` (docs/decisions/0028).
func feature(_ folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: "Nephos\(folder)", dependencies: dependencies, path: "Sources/Features/\(folder)", swiftSettings: strict)
}

func tool(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/Tools/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "nephos",
    platforms: [.macOS(.v15), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "CloudKitWire", targets: ["CloudKitWire"]),
        .library(name: "CloudKitSchema", targets: ["CloudKitSchema"]),
        .library(name: "CloudKit", targets: ["CloudKit"]),
        .library(name: "FeatureSwitches", targets: ["FeatureSwitches"]),
        .library(name: "FeatureSwitchesCloudKit", targets: ["FeatureSwitchesCloudKit"]),
        .library(name: "PublishedContent", targets: ["PublishedContent"]),
        .library(name: "PublishedContentCloudKit", targets: ["PublishedContentCloudKit"]),
        .library(name: "Communications", targets: ["Communications"]),
        .library(name: "CommunicationsCloudKit", targets: ["CommunicationsCloudKit"]),
        .library(name: "Trends", targets: ["Trends"]),
        .executable(name: "nephos", targets: ["nephos"]),
    ],
    traits: [
        .trait(name: "Server", description: "The server, its storage engines and the command. Apps turn it off."),
        .trait(
            name: "Postgres", description: "The engine that stores in PostgreSQL, over libpq.",
            enabledTraits: ["Server"]),
        .trait(
            name: "FeatureOverrides",
            description: "Flags can be set on a device, for internal builds of apps (docs/switches.md)."),
        .default(enabledTraits: ["Server", "Postgres"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // What only the server needs takes no new minor version by itself (docs/dependencies.md).
        .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
        .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
        .package(url: "https://github.com/apple/swift-metrics", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.2")),
        .package(url: "https://github.com/apple/swift-nio-http2", .upToNextMinor(from: "1.46.0")),
        .package(url: "https://github.com/apple/swift-nio-ssl", .upToNextMinor(from: "2.37.6")),
        .package(url: "https://github.com/swift-server/async-http-client", .upToNextMinor(from: "1.37.0")),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
        .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.2")),
        .package(url: "https://github.com/apple/swift-system", .upToNextMinor(from: "1.8.1")),
        .package(url: "https://github.com/swiftlang/swift-subprocess", .upToNextMinor(from: "1.0.2"), traits: []),
    ],
    targets: [
        // Protocol
        room("Protocol", "CloudKitWire"),
        room("Protocol", "CloudKitSchema", ["CloudKitWire"]),
        room("Protocol", "Audience", ["CloudKitWire"]),
        room("Protocol", "Charts"),
        // Client
        room("Client", "CoreLocation"),
        .target(name: "CNephosCurl", path: "Sources/Client/CNephosCurl"),
        room("Client", "NephosTransport", ["CNephosCurl"]),
        room("Client", "NephosKit", ["CloudKitWire", "CoreLocation", "NephosTransport", crypto, cryptoExtras]),
        room("Client", "CloudKit", ["NephosKit", "CoreLocation"]),
        // Kits
        room("Kits", "KitSupport", ["Audience", "CloudKitWire", "NephosTransport"]),
        room("Kits", "KitSupportCloudKit", ["KitSupport", cloudKit]),
        room("Kits", "FeatureSwitches", ["Audience", "CloudKitWire", "KitSupport", "NephosTransport"]),
        room(
            "Kits", "FeatureSwitchesCloudKit",
            ["Audience", "FeatureSwitches", "KitSupport", "KitSupportCloudKit", cloudKit]),
        room("Kits", "PublishedContent", ["Audience", "CloudKitWire", "KitSupport", "NephosTransport"]),
        room("Kits", "PublishedContentCloudKit", ["KitSupportCloudKit", "PublishedContent", cloudKit, coreLocation]),
        room("Kits", "Communications", ["Audience", "CloudKitWire", "KitSupport", "NephosTransport"]),
        room("Kits", "CommunicationsCloudKit", ["Communications", "KitSupportCloudKit", cloudKit]),
        room("Kits", "Trends", [cloudKit]),
        // Server
        .systemLibrary(name: "CZlib", path: "Sources/Server/CZlib"),
        .systemLibrary(name: "CFiles", path: "Sources/Server/CFiles"),
        .systemLibrary(name: "CMalloc", path: "Sources/Server/CMalloc"),
        .systemLibrary(name: "CSQLite", path: "Sources/Server/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CLibPQ", path: "Sources/Server/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "CDocuments", path: "Sources/Server/CDocuments"),
        room("Server", "NephosNetwork"),
        room("Server", "NephosYAML", ["CloudKitWire", server("Yams", "Yams")]),
        room("Server", "NephosStorage", ["CloudKitWire", crypto]),
        room("Server", "NephosQueries", ["CloudKitWire", "Audience", "NephosStorage"]),
        room(
            "Server", "NephosDomain",
            ["CloudKitWire", "CloudKitSchema", "Audience", "NephosStorage", "NephosQueries", crypto]),
        room("Server", "NephosSQLite", ["CSQLite", "CloudKitWire", "NephosStorage", "NephosQueries"]),
        room("Server", "NephosAssets", ["CFiles", "CloudKitWire", "NephosStorage", crypto]),
        room(
            "Server", "NephosRunner",
            [
                "CZlib", "Audience", "CloudKitWire", "CloudKitSchema", "NephosAssets", "NephosNetwork", "NephosStorage",
                "NephosDomain", "NephosYAML",
                crypto,
            ]),
        room("Server", "NephosPostgres", ["CLibPQ", "CloudKitWire", "NephosStorage", "NephosQueries"]),
        room(
            "Server", "NephosAdmin",
            [
                "CloudKitWire", "CloudKitSchema", "NephosNetwork", "NephosStorage", "NephosDomain", "NephosRunner",
                "NephosAssets", crypto,
            ]),
        room(
            "Server", "NephosEndpoints",
            [
                "CDocuments", "CloudKitWire", "NephosNetwork", "NephosStorage", "NephosDomain", "NephosRunner",
                "NephosAssets", crypto,
            ]),
        room(
            "Server", "NephosBackend",
            [
                "CloudKitWire", "NephosNetwork", "NephosStorage", "NephosDomain", "NephosRunner", "NephosAssets",
                "NephosEndpoints", server("Logging", "swift-log"), server("Metrics", "swift-metrics"),
            ]),
        room(
            "Server", "NephosHTTP",
            [
                "CloudKitWire", "NephosNetwork", "NephosStorage", "NephosRunner", "CZlib",
                server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"), server("NIOHTTP1", "swift-nio"),
                server("ServiceLifecycle", "swift-service-lifecycle"), server("Logging", "swift-log"),
            ]),
        room(
            "Server", "NephosServer",
            [
                "CloudKitWire", "NephosNetwork", "NephosStorage", "NephosAssets", "NephosRunner",
                "NephosEndpoints", "NephosBackend", "NephosHTTP", "CMalloc",
                server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
                server("UnixSignals", "swift-service-lifecycle"),
                server("Logging", "swift-log"), server("Metrics", "swift-metrics"),
            ]),
        // Features
        feature(
            "Delivery",
            [
                "CloudKitWire", "NephosNetwork", "NephosStorage", "NephosQueries", "NephosDomain", "NephosRunner",
                crypto,
            ]),
        feature(
            "Constraints",
            ["Audience", "CloudKitWire", "CloudKitSchema", "NephosStorage", "NephosDomain", "NephosRunner", crypto]),
        feature(
            "Content",
            [
                "Audience", "CloudKitWire", "CloudKitSchema", "NephosStorage", "NephosQueries", "NephosDomain",
                "NephosRunner", crypto,
            ]),
        feature(
            "Flags",
            ["Audience", "CloudKitWire", "CloudKitSchema", "NephosStorage", "NephosDomain", "NephosRunner", crypto]),
        feature(
            "Messages",
            [
                "Audience", "CloudKitWire", "CloudKitSchema", "NephosAssets", "NephosStorage", "NephosDomain",
                "NephosRunner", "NephosYAML", crypto,
            ]),
        feature(
            "People",
            [
                "Audience", "CloudKitWire", "NephosNetwork", "NephosStorage", "NephosDomain", "NephosRunner", crypto,
                cryptoExtras,
            ]),
        feature("Settings", ["CloudKitWire", "NephosStorage", "NephosDomain", "NephosRunner", "NephosYAML"]),
        feature(
            "Trends",
            [
                "Audience", "Charts", "CloudKitWire", "NephosNetwork", "NephosStorage", "NephosDomain", "NephosRunner",
                crypto,
            ]),
        room(
            "Server", "NephosPost",
            [
                "CloudKitWire", "NephosNetwork", "NephosStorage", "NephosDomain", "NephosRunner", "NephosDelivery",
                crypto, server("AsyncHTTPClient", "async-http-client"),
                server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"), server("NIOHTTP1", "swift-nio"),
                server("NIOHTTP2", "swift-nio-http2"), server("NIOSSL", "swift-nio-ssl"),
            ]),
        room(
            "Server", "NephosMail",
            [
                "CloudKitWire", "NephosStorage", "NephosRunner", "NephosPost",
                server("Subprocess", "swift-subprocess"), server("SystemPackage", "swift-system"),
                server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"), server("NIOSSL", "swift-nio-ssl"),
                server("NIOTLS", "swift-nio"),
            ]),
        // Testing
        room("Testing", "NephosTesting", [crypto]),
        room("Testing", "FollowTesting", ["NephosTesting"]),
        room("Testing", "CopyTesting", ["NephosTesting"]),
        room(
            "Testing", "DeliveryTesting",
            [
                "NephosTesting", crypto, server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"),
                server("NIOHTTP1", "swift-nio"),
                server("NIOHTTP2", "swift-nio-http2"), server("NIOSSL", "swift-nio-ssl"),
            ]),
        room("Testing", "AssetTesting", ["NephosAssets"]),
        room("Testing", "StorageConformance", ["CloudKitWire", "NephosStorage", "NephosTesting"]),
        room(
            "Testing", "TestEngines",
            ["CSQLite", "CloudKitWire", "NephosDomain", "NephosStorage", "NephosSQLite", postgres, "NephosTesting"]),
        room(
            "Testing", "RequestTesting",
            [
                "Audience", "CloudKitWire", "NephosAdmin", "NephosAssets", "NephosBackend", "NephosConstraints",
                "NephosContent",
                "NephosDelivery",
                "NephosDomain", "NephosEndpoints", "NephosFlags", "NephosMessages", "NephosNetwork", "NephosRunner",
                "NephosSQLite", "NephosSettings", "NephosStorage", "NephosTesting", "NephosTrends", "NephosYAML",
                server("Logging", "swift-log"),
            ]),
        room("Testing", "KitTesting", ["NephosTesting", "NephosTransport", "RequestTesting", "NephosRunner"]),
        room("Testing", "GuestBook", ["CloudKitWire", "NephosDomain", "NephosRunner", "NephosStorage"]),
        // Tools
        room(
            "Tools", "NephosCommands",
            [
                "NephosAdmin", "NephosAssets", "NephosBackend", "NephosEndpoints", "NephosNetwork",
                "NephosRunner", "NephosServer", "NephosSQLite", "NephosStorage", postgres,
                server("ArgumentParser", "swift-argument-parser"),
                server("Metrics", "swift-metrics"),
            ]),
        tool(
            "nephos",
            [
                "NephosCommands", "NephosConstraints", "NephosContent", "NephosFlags", "NephosMail", "NephosMessages",
                "NephosPeople", "NephosPost",
                "NephosRunner",
                "NephosSettings",
                "NephosTrends",
            ]),
        room(
            "Testing", "ServerTesting",
            [
                "NephosAdmin", "NephosAssets", "NephosBackend", "NephosCommands", "NephosConstraints", "NephosContent",
                "NephosDelivery", "NephosEndpoints", "NephosFlags", "NephosMessages", "NephosPeople", "NephosRunner",
                "NephosServer", "NephosSettings", "NephosStorage",
                "NephosTesting", "NephosTrends", "RequestTesting", "TestEngines",
                server("Logging", "swift-log"),
            ]),
        tool("nephos-acceptance", ["CloudKitWire", "NephosTesting", "CopyTesting", "FollowTesting"]),
        // With the settings that an app has, whose code it stands for.
        .executableTarget(name: "nephos-device", dependencies: ["CloudKit"], path: "Sources/Tools/nephos-device"),
        tool(
            "nephos-bench",
            [
                "CSQLite", "CloudKit", "CloudKitWire", "NephosDelivery", "NephosDomain", "NephosKit", "NephosStorage",
                "NephosTesting",
                "TestEngines", postgres,
            ]),
        tool("nephos-fuzz", ["NephosTesting", "RequestTesting"]),
        tool("nephos-gallery", ["Charts"]),
        tool("nephos-guestbook", ["GuestBook", "NephosCommands", "NephosMail", "NephosPost", "NephosRunner"]),
        tool(
            "nephos-writer",
            ["CloudKitWire", "NephosDomain", "NephosStorage", "NephosTesting", "StorageConformance", "TestEngines"]),
        // Tests
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CloudKitSchema", "CloudKitWire", "DeliveryTesting", "NephosAdmin", "NephosCommands", "NephosDomain",
                "NephosMail", "NephosPost", "NephosRunner", "NephosStorage", "NephosTesting", "ServerTesting", "nephos",
            ],
            path: "Tests/CommandTests",
            exclude: ["full-disk.c", "help.txt", "late-clock.c"], swiftSettings: strict),
        tests(
            "NephosAdminTests",
            [
                "CloudKitWire", "CloudKitSchema", "NephosAssets", "NephosStorage", "NephosDomain", "NephosRunner",
                "NephosAdmin", "NephosDelivery", "NephosTesting", "TestEngines", crypto,
            ]),
        // With the settings that an app has, whose code it stands for.
        .testTarget(
            name: "NephosKitTests",
            dependencies: [
                "CloudKit", "NephosKit", "NephosTransport", "CloudKitWire", "CoreLocation", "NephosTesting", crypto,
            ],
            path: "Tests/NephosKitTests"),
        .testTarget(
            name: "ClientTests",
            dependencies: ["CloudKit", "NephosKit", "NephosTesting", "ServerTesting", "nephos", "nephos-device"],
            path: "Tests/ClientTests"),
        tests(
            "FeatureSwitchesTests",
            [
                "Audience", "CloudKit", "CloudKitWire", "FeatureSwitches", "FeatureSwitchesCloudKit", "KitSupport",
                "NephosTesting", "NephosTransport", "nephos",
            ]),
        tests(
            "PublishedContentTests",
            [
                "CloudKit", "CloudKitWire", "KitSupport", "KitTesting", "NephosAdmin", "NephosContent", "NephosDomain",
                "NephosKit",
                "NephosRunner", "NephosSQLite", "NephosSettings", "NephosStorage", "NephosTesting", "NephosTransport",
                "PublishedContent", "PublishedContentCloudKit", "RequestTesting",
            ]),
        tests(
            "CommunicationsTests",
            [
                "CloudKit", "CloudKitSchema", "Communications", "CommunicationsCloudKit", "KitSupport", "KitTesting",
                "NephosAdmin",
                "NephosConstraints", "NephosDomain", "NephosKit", "NephosMessages", "NephosRunner", "NephosSettings",
                "NephosStorage", "NephosTesting", "NephosTransport", "RequestTesting",
            ]),
        tests(
            "TrendsKitTests", ["CloudKit", "NephosKit", "NephosTesting", "NephosTransport", "ServerTesting", "Trends"]),
        // With the settings that an app has, whose code it stands for.
        .testTarget(
            name: "InventoryTests", dependencies: ["CloudKit"], path: "Tests/InventoryTests",
            exclude: ["symbols.txt"]),
        .testTarget(
            name: "RequestTests",
            dependencies: [
                "CloudKitWire", "NephosAdmin", "NephosDelivery", "NephosDomain", "NephosEndpoints", "NephosPost",
                "NephosRunner", "NephosSQLite", "NephosStorage", "NephosTesting", "RequestTesting", crypto,
            ], path: "Tests/RequestTests", exclude: ["Recorded"], swiftSettings: strict),
        tests("CloudKitWireTests", ["CloudKitWire", "NephosTesting"]),
        tests("AudienceTests", ["Audience", "CloudKitWire"]),
        tests("ChartsTests", ["Charts", "NephosTesting", "nephos-gallery"]),
        tests("NephosSettingsTests", ["CloudKitWire", "NephosSettings", "NephosTesting", "NephosYAML"]),
        tests(
            "NephosFlagsTests",
            [
                "CloudKitWire", "NephosAdmin", "NephosAssets", "NephosBackend", "NephosDomain", "NephosEndpoints",
                "NephosFlags", "NephosRunner", "NephosSQLite", "NephosSettings", "NephosStorage", "NephosTesting",
                "RequestTesting", crypto,
            ]),
        tests(
            "NephosMessagesTests",
            [
                "Audience", "CloudKitSchema", "CloudKitWire", "NephosAdmin", "NephosAssets", "NephosBackend",
                "NephosConstraints", "NephosDomain",
                "NephosMessages", "NephosNetwork", "NephosRunner", "NephosSettings", "NephosStorage", "NephosTesting",
                "NephosYAML", "RequestTesting", "TestEngines",
            ]),
        tests(
            "SharingTests",
            [
                "CloudKitWire", "NephosAdmin", "NephosBackend", "NephosDomain", "NephosNetwork", "NephosRunner",
                "NephosStorage",
                "NephosTesting", "RequestTesting", "TestEngines",
            ]),
        tests(
            "NephosPeopleTests",
            [
                "CloudKitWire", "NephosAdmin", "NephosAssets", "NephosBackend", "NephosDomain", "NephosNetwork",
                "NephosPeople", "NephosRunner", "NephosStorage", "NephosTesting", "RequestTesting", "ServerTesting",
                "TestEngines",
                "nephos", crypto, cryptoExtras,
            ]),
        tests(
            "NephosContentTests",
            [
                "CloudKitWire", "NephosAdmin", "NephosBackend", "NephosContent", "NephosDomain", "NephosEndpoints",
                "NephosRunner",
                "NephosSettings", "NephosStorage", "NephosTesting", "RequestTesting", "TestEngines", crypto,
            ]),
        tests(
            "NephosTrendsTests",
            [
                "CloudKitWire", "NephosAdmin", "NephosBackend", "NephosDomain", "NephosNetwork", "NephosRunner",
                "NephosSQLite", "NephosSettings", "NephosStorage", "NephosTesting", "NephosTrends", "RequestTesting",
            ]),
        tests("CloudKitSchemaTests", ["CloudKitSchema", "CloudKitWire", "NephosTesting"]),
        tests(
            "NephosHTTPTests",
            [
                "CZlib", "CloudKitWire", "NephosDelivery", "NephosDomain", "NephosEndpoints", "NephosHTTP",
                "NephosNetwork", "NephosRunner", "NephosStorage", "NephosTesting", "TestEngines",
                server("Logging", "swift-log"),
                server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"), server("NIOHTTP1", "swift-nio"),
                server("ServiceLifecycle", "swift-service-lifecycle"),
            ]),
        tests(
            "NephosBackendTests",
            [
                "AssetTesting", "CloudKitWire", "NephosAssets", "NephosBackend", "NephosDomain", "NephosRunner",
                "NephosStorage", "NephosTesting", "TestEngines", server("Logging", "swift-log"),
            ]),
        tests(
            "NephosServerTests",
            [
                "CloudKitWire", "NephosAdmin", "NephosAssets", "NephosBackend", "NephosDomain", "NephosEndpoints",
                "NephosHTTP", "NephosNetwork", "NephosRunner", "NephosServer", "NephosSQLite", "NephosStorage",
                "NephosTesting", "RequestTesting", "TestEngines", server("Logging", "swift-log"),
                server("Metrics", "swift-metrics"),
            ]),
        tests(
            "NephosDomainTests",
            [
                "CloudKitWire", "CloudKitSchema", "NephosDelivery", "NephosDomain", "NephosStorage", "NephosTesting",
                "TestEngines", crypto,
            ]),
        tests(
            "NephosDeliveryTests",
            [
                "CloudKitWire", "NephosAssets", "NephosStorage", "NephosDomain", "NephosDelivery", "NephosPost",
                "NephosAdmin", "NephosRunner", "DeliveryTesting", "NephosTesting", "TestEngines", crypto,
            ]),
        tests(
            "NephosPostTests",
            [
                "CloudKitWire", "NephosNetwork", "NephosDelivery", "NephosPost", "NephosRunner", "DeliveryTesting",
                "NephosTesting", crypto, server("NIOCore", "swift-nio"), server("NIOPosix", "swift-nio"),
            ]),
        tests(
            "NephosMailTests",
            [
                "CloudKitWire", "DeliveryTesting", "NephosAdmin", "NephosMail", "NephosRunner", "NephosStorage",
                "NephosTesting", "TestEngines",
            ]),
        tests(
            "NephosRunnerTests",
            [
                "CloudKitWire", "NephosAdmin", "NephosDomain", "NephosNetwork", "NephosRunner", "NephosStorage",
                "NephosTesting", "TestEngines",
            ]),
        tests("NephosNetworkTests", ["NephosNetwork"]),
        tests("NephosAssetsTests", ["AssetTesting", "NephosStorage", "NephosAssets", "NephosTesting"]),
        tests("NephosQueriesTests", ["CloudKitWire", "NephosStorage", "NephosQueries", "NephosTesting"]),
        .testTarget(
            name: "NephosSQLiteTests",
            dependencies: [
                "CSQLite", "CloudKitWire", "NephosStorage", "NephosQueries", "NephosSQLite", "NephosTesting",
                "StorageConformance", "TestEngines",
            ], path: "Tests/NephosSQLiteTests", exclude: ["saved-scratch"], swiftSettings: strict),
        .testTarget(
            name: "NephosPostgresTests",
            dependencies: [
                "CloudKitWire", "NephosStorage", "NephosQueries", "NephosPostgres", "NephosTesting",
                "StorageConformance", "TestEngines", "nephos",
            ], path: "Tests/NephosPostgresTests",
            exclude: ["make-saved-scratch", "make-saved-store", "saved-scratch.sql", "saved-store.sql"],
            swiftSettings: strict),
        tests(
            "FeedTests",
            ["CloudKitWire", "NephosDomain", "NephosStorage", "NephosTesting", "TestEngines", "nephos-writer"]),
        tests(
            "ServerTests",
            ["NephosConstraints", "NephosRunner", "NephosStorage", "NephosTesting", "ServerTesting", "nephos"]),
        tests(
            "DeliveryTests",
            [
                "CloudKit", "DeliveryTesting", "NephosDelivery", "NephosPost", "NephosTesting", "ServerTesting",
                "nephos",
                crypto,
            ]),
        tests("BadInputTests", ["NephosTesting", "ServerTesting", "nephos"]),
        tests("ClusterTests", ["NephosStorage", "NephosTesting", "TestEngines", "nephos"]),
        tests("FollowTests", ["FollowTesting", "nephos"]),
        tests("CopyTests", ["CopyTesting", "NephosTesting", "nephos"]),
        tests("GuestBookTests", ["NephosTesting", "nephos-guestbook"]),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "NephosStorage", "NephosTesting", "StorageConformance", "TestEngines", "nephos", "nephos-writer",
            ],
            path: "Tests/CrashTests",
            exclude: ["PowerLoss/disk-recorder.c"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// Tests run the optimized program. With NEPHOS_TESTED, which scripts/build sets, tests may see what is internal. What the program for servers
// does not contain is not optimized: compiling it for speed would take longer than the tests gain. Tests see nothing internal of NephosHTTP:
// the compiler would have to expect access to a connection's state from elsewhere, and checks of that cost a tenth of the smallest requests.
// Packages that depend on this one never set the variable: the package manager refuses such flags in a dependency.
if let use = Context.environment["NEPHOS_TESTED"] {
    let wings = ["Client", "Kits", "Testing", "Tools"].map { "Sources/\($0)/" }
    let optimized: Set = ["NephosTesting", "NephosCommands", "nephos"]
    for target in package.targets where target.type != .system {
        let isOfServer = target.type != .test && !wings.contains { target.path?.hasPrefix($0) == true }
        var flags = target.name == "NephosHTTP" ? [] : ["-enable-testing"]
        if use == "tests", !isOfServer, !optimized.contains(target.name) { flags.append("-Onone") }
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .release))]
    }
}
