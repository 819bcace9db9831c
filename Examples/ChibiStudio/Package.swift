// swift-tools-version: 6.1
import PackageDescription

// An app that gets its flags and drawings from a server of this checkout. A real app would depend on the repository by its address.
//
// The trait `Internal`, off by default, is for builds for the people who work on the app, with which they can change flags and publish drawings.
let package = Package(
    name: "ChibiStudio",
    platforms: [.macOS(.v15)],
    traits: [.trait(name: "Internal", description: "A build for people who work on the app.")],
    dependencies: [.package(name: "nephos", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "chibi",
            dependencies: [
                // For systems without CloudKit.
                .product(name: "CloudKit", package: "nephos", condition: .when(platforms: [.linux])),
                .product(name: "FeatureSwitches", package: "nephos"),
                .product(name: "FeatureSwitchesCloudKit", package: "nephos"),
                .product(name: "PublishedContent", package: "nephos"),
            ])
    ]
)
