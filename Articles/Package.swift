// swift-tools-version: 6.1
import PackageDescription

// What `scripts/articles` builds. The script copies this package into its build folder, adds the listings that it takes
// out of the articles, and says by NEPHOS_ROOT where this checkout is. Without the listings it does not build.
let root = Context.environment["NEPHOS_ROOT"] ?? ".."

let package = Package(
    name: "Articles",
    dependencies: [.package(path: root, traits: [])],
    targets: [
        .executableTarget(
            name: "Articles",
            // A package at a path is called after its folder.
            dependencies: [.product(name: "CloudKit", package: root.split(separator: "/").last.map(String.init) ?? "")],
            // As the articles were written: before Swift 6.
            swiftSettings: [.swiftLanguageMode(.v5)])
    ]
)
