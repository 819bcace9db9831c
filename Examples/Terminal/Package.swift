// swift-tools-version: 6.1
import PackageDescription

// A program without a page, whose people sign in to a server of this checkout. A real program would depend on the repository by its address.
let package = Package(
    name: "Terminal",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "nephos", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "jot",
            dependencies: [
                // For systems without CloudKit.
                .product(name: "CloudKit", package: "nephos", condition: .when(platforms: [.linux]))
            ])
    ]
)
