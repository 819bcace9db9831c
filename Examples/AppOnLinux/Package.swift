// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Notes",
    platforms: [.iOS(.v17), .macOS(.v14)],
    products: [.library(name: "Notes", targets: ["Notes"])],
    dependencies: [
        .package(url: "https://example.org/nephos.git", from: "0.1.0", traits: [])
    ],
    targets: [
        .target(
            name: "Notes",
            dependencies: [
                // On Apple's platforms the target uses Apple's CloudKit.
                .product(name: "CloudKit", package: "nephos", condition: .when(platforms: [.linux]))
            ]),
        .testTarget(name: "NotesTests", dependencies: ["Notes"]),
    ]
)
