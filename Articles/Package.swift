// swift-tools-version: 6.1
import PackageDescription

// What `scripts/articles` builds. The script copies this package into its build folder, adds the listings that it takes
// out of the articles, and says by NEPHOS_ROOT where this checkout is. Without the listings it does not build.
let root = Context.environment["NEPHOS_ROOT"] ?? ".."
// A package at a path is called after its folder.
let nephos = root.split(separator: "/").last.map(String.init) ?? ""
// As the articles were written: before Swift 6.
let old: [SwiftSetting] = [.swiftLanguageMode(.v5)]

let package = Package(
    name: "Articles",
    dependencies: [.package(path: root, traits: [])],
    targets: [
        .executableTarget(
            name: "Articles", dependencies: [.product(name: "CloudKit", package: nephos)], swiftSettings: old),
        // What is compiled with the kit, whose types one of the articles has itself.
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
