// swift-tools-version: 6.1
import PackageDescription

// A spike, not a product: docs/decisions/0002-storage-contract-on-postgresql.md describes its results.
let package = Package(
    name: "postgres-contract",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "nephos", path: "../..", traits: [])],
    targets: [
        .systemLibrary(
            name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .executableTarget(
            name: "PostgresContract",
            dependencies: [
                "CLibPQ",
                .product(name: "CloudKitWire", package: "nephos"),
                .product(name: "NephosStorage", package: "nephos"),
                .product(name: "StorageConformance", package: "nephos"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
