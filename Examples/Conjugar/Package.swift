// swift-tools-version: 6.1
import PackageDescription

// An app that shows messages from a server of this checkout. A real app would depend on the repository by its address.
let package = Package(
    name: "Conjugar",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "nephos", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "conjugar", dependencies: [.product(name: "Communications", package: "nephos")])
    ]
)
