// swift-tools-version: 6.1
import PackageDescription

// `scripts/articles` builds this package: it copies it into its build folder, adds the listings that it extracts from the
// articles, and sets NEPHOS_ROOT to this checkout. Without the listings the package does not build.
let root = Context.environment["NEPHOS_ROOT"] ?? ".."
// A package at a path has the name of its folder.
let nephos = root.split(separator: "/").last.map(String.init) ?? ""
// The articles were written before Swift 6.
let old: [SwiftSetting] = [.swiftLanguageMode(.v5)]

let package = Package(
    name: "Articles",
    dependencies: [.package(path: root, traits: [])],
    targets: [
        .executableTarget(
            name: "Articles", dependencies: [.product(name: "CloudKit", package: nephos)], swiftSettings: old),
        // Code that is compiled with the kit: one of the articles declares the same types itself.
        .executableTarget(
            name: "Switches",
            dependencies: [
                .product(name: "CloudKit", package: nephos), .product(name: "FeatureSwitches", package: nephos),
                .product(name: "FeatureSwitchesCloudKit", package: nephos),
            ], swiftSettings: old),
        // The same for messages.
        .executableTarget(
            name: "Communs",
            dependencies: [
                .product(name: "CloudKit", package: nephos), .product(name: "Communications", package: nephos),
                .product(name: "CommunicationsCloudKit", package: nephos),
            ], swiftSettings: old),
    ]
)
