// swift-tools-version: 6.1
import PackageDescription

// A program without a page, whose people sign in at a server of this checkout. Elsewhere it would name the repository by its address.
let package = Package(
    name: "Terminal",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "nephos", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "jot",
            dependencies: [
                // Where the system has none.
                .product(name: "CloudKit", package: "nephos", condition: .when(platforms: [.linux]))
            ])
    ]
)
