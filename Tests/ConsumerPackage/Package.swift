// swift-tools-version: 6.2
import PackageDescription

// How an app depends on the library without the server. `scripts/prove-consumer` copies this package, replaces the two names in
// capitals, and builds and runs it.
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
        // Code from before Swift 6, like most code written for Apple's CloudKit.
        .target(
            name: "OldConsumer", dependencies: [.product(name: "CloudKit", package: "nephos")],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    ]
)
