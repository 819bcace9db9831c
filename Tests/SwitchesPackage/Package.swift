// swift-tools-version: 6.2
import PackageDescription

// What an app needs to get switches, with overrides in its internal builds only, except that it would refer to this repository by
// its URL. `scripts/prove-switches` copies this package, inserts the path, and builds and runs it in both variants.
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
