import Foundation
import Testing

/// ARCHITECTURE.md, "Rooms".
@Suite("The table of modules") struct RoomTests {
    @Test(
        "Each target in Sources/ has a row in its section, and imports only what it declares and what is above it")
    func tree() throws {
        let rooms = try Rooms(in: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../.."))
        #expect(rooms.table.count > 30 && rooms.folders.values.reduce(0) { $0 + $1.count } > 200)
        #expect(rooms.faults == [])
    }

    /// The subject of a fault, and its text.
    private static let faults: [(old: String, new: String, said: String)] = [
        ("| | `Roof` | tiles |\n", "", "House/Roof has no row in the table"),
        ("| | `Roof` | tiles |\n", "| Yard | `Roof` | tiles |\n", "Yard/Roof has a row in the table, and is no target"),
        ("| | `Roof` |", "| | `Roof`, `Tower` |", "House/Tower has a row in the table, and is no target"),
        ("| | `Roof` |", "| | `Roof`, `Wall` |", "a room has two rows in the table"),
        ("\"Roof\", [\"Wall\"", "\"Roof\", [\"Bench\"", "House/Roof imports Bench, which does not stand above it"),
        ("\"Wall\")", "\"Wall\", [\"Wall\"])", "House/Wall imports Wall, which does not stand above it"),
        ("\"Wall\")", "\"Wall\", [roof])", "House/Wall imports Roof, which does not stand above it"),
        ("[\"Wall\", far(\"Sky\", \"heaven\")]", "[]", "House/Roof imports Wall, which it does not declare"),
        ("tool(\"Bench\", [\"Roof\"])", "", "Tools/Bench is a folder or a target, not both"),
        ("\"Stove\", [", "\"Stove\", [\"Roof\", ", "Features/NephosStove declares Roof, which no feature may"),
        ("\"Stove\", [", "\"Stove\", [far(\"Sky\"), ", "Features/NephosStove declares Sky, which no feature may"),
    ]

    private static let page = """
        # House

        ## Rooms

        | wing | room | what it is |
        |---|---|---|
        | House | `Wall` | bricks, and no `Window` |
        | | `Roof` | tiles |
        | | `NephosRunner` | a hall |
        | Features | `NephosStove` | fire |
        | Tools | `Bench` | wood |

        ## Garden

        | | `Tree` | no room |

        """
    private static let manifest = """
        let roof: Target.Dependency = .target(name: "Roof", condition: .when(traits: ["Dry"]))
        func room(_ wing: String, _ name: String) -> Target {
            .target(name: name, path: "Sources/\\(wing)/\\(name)")
        }
            targets: [
                room("House", "Wall"),
                room(
                    "House", "Roof", ["Wall", far("Sky", "heaven")]),
                room("House", "NephosRunner", ["Wall"]),
                feature("Stove", ["NephosRunner", "Wall"]),
                tool("Bench", ["Roof"]),
                tests("WallTests", ["Roof", "Wall"]),
            ]
        """
    private static let sources = [
        Room(wing: "House", name: "Wall"): "import Sky\n// import Roof\n",
        Room(wing: "House", name: "Roof"): "@_exported public import struct Wall.Brick\nimport Sky\n",
        Room(wing: "House", name: "NephosRunner"): "",
        Room(wing: "Features", folder: "Stove"): "import NephosRunner\nimport Wall\n",
        Room(wing: "Tools", name: "Bench"): "package import Roof\n",
    ]

    @Test("A missing row or target, an undeclared import and a downward import are each detected")
    func findsFaults() {
        #expect(Rooms(page: Self.page, manifest: Self.manifest, sources: Self.sources).faults == [])
        for (old, new, said) in Self.faults {
            let found = Rooms(
                page: Self.page.replacing(old, with: new), manifest: Self.manifest.replacing(old, with: new),
                sources: Self.sources)
            #expect(found.faults.contains(said), "\(old) -> \(new): \(found.faults)")
        }
    }

    @Test("Imports are found in every spelling")
    func findsImports() {
        var sources = Self.sources
        sources[Room(wing: "House", name: "Wall")] = "import Sky\n    @preconcurrency import Roof\n"
        let faults = Rooms(page: Self.page, manifest: Self.manifest, sources: sources).faults
        #expect(faults.count == 2, "\(faults)")
    }
}
