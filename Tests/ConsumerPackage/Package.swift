// swift-tools-version: 6.2
import PackageDescription

// What an app writes to get the library without the server. `scripts/prove-consumer` copies this package, puts the
// two names in capitals in, and builds and runs it.
let package = Package(
    name: "Consumer",
    dependencies: [
        .package(url: "NEPHOS_URL", revision: "NEPHOS_REVISION", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "Consumer",
            dependencies: [
                "OldConsumer", .product(name: "CloudKitWire", package: "nephos"),
                .product(name: "CloudKit", package: "nephos"), .product(name: "PublishedContent", package: "nephos"),
                .product(name: "PublishedContentCloudKit", package: "nephos"),
                .product(name: "Communications", package: "nephos"),
                .product(name: "CommunicationsCloudKit", package: "nephos"),
            ], swiftSettings: [.treatAllWarnings(as: .error)]),
        // Code of before Swift 6, as most of what was written for Apple's CloudKit is.
        .target(
            name: "OldConsumer", dependencies: [.product(name: "CloudKit", package: "nephos")],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    ]
)
