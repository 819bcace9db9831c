// swift-tools-version: 6.2
import PackageDescription

// What an app writes to get switches, with overrides in its internal builds only; but that it would name this repository by its address.
// `scripts/prove-switches` copies this package, puts the path in, and builds and runs it both ways.
let package = Package(
    name: "Switches",
    traits: [.trait(name: "Internal", description: "A build for people who work on the app.")],
    dependencies: [
        .package(
            name: "nephos", path: "NEPHOS_PATH",
            traits: [.trait(name: "FeatureOverrides", condition: .when(traits: ["Internal"]))])
    ],
    targets: [
        .executableTarget(
            name: "Switches", dependencies: [.product(name: "FeatureSwitches", package: "nephos")],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
