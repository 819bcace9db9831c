import Foundation

/// A target below Sources/.
struct Room: Hashable, CustomStringConvertible {
    let wing: String
    let name: String

    /// The room in a folder. Folders of features are named without the prefix of their targets.
    init(wing: String, folder: String) {
        self.init(wing: wing, name: wing == "Features" ? "Nephos\(folder)" : folder)
    }

    init(wing: String, name: String) { (self.wing, self.name) = (wing, name) }

    var description: String { "\(wing)/\(name)" }
}

/// The rooms of this package, according to three sources.
struct Rooms {
    /// ARCHITECTURE.md, "Rooms", from the top of its table to the end.
    let table: [Room]
    /// Package.swift, with the dependencies of each target, of any kind.
    let targets: [Room: Set<String>]
    /// The folders below Sources/, with the imports of their sources, of any kind.
    let folders: [Room: Set<String>]

    /// Reads the tree in a folder.
    init(in root: URL) throws {
        table = Self.table(in: try String(contentsOf: root.appending(path: "ARCHITECTURE.md"), encoding: .utf8))
        targets = Self.targets(in: try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8))
        var folders: [Room: Set<String>] = [:]
        let sources = root.appending(path: "Sources")
        for path in FileManager.default.subpaths(atPath: sources.path) ?? [] {
            let parts = path.split(separator: "/").map(String.init)
            guard parts.count > 2 else { continue }
            let isSwift = path.hasSuffix(".swift")
            let text = isSwift ? try String(contentsOf: sources.appending(path: path), encoding: .utf8) : ""
            folders[Room(wing: parts[0], folder: parts[1]), default: []].formUnion(Self.imports(in: text))
        }
        self.folders = folders
    }

    init(page: String, manifest: String, sources: [Room: String]) {
        table = Self.table(in: page)
        targets = Self.targets(in: manifest)
        folders = sources.mapValues(Self.imports)
    }

    // MARK: Faults

    /// The differences between the three.
    var faults: [String] {
        let rows = Set(table)
        var faults = rows.subtracting(targets.keys).map { "\($0) has a row in the table, and is no target" }
        faults += Set(targets.keys).subtracting(rows).map { "\($0) has no row in the table" }
        faults += Set(folders.keys).symmetricDifference(targets.keys).map { "\($0) is a folder or a target, not both" }
        if rows.count < table.count { faults.append("a room has two rows in the table") }
        let places = Dictionary(zip(table.map(\.name), 0...)) { first, _ in first }
        for (room, place) in zip(table, 0...) {
            let (declared, imported) = (targets[room] ?? [], folders[room] ?? [])
            for other in declared.union(imported) {
                guard let above = places[other] else { continue }
                if above >= place { faults.append("\(room) imports \(other), which does not stand above it") }
                if !declared.contains(other) { faults.append("\(room) imports \(other), which it does not declare") }
            }
        }
        return (faults + strayFeatures).sorted()
    }

    /// Additional dependencies allowed to features: they parse users' input, or draw, and have no access to anything else.
    private static let librariesOfFeatures: Set = ["Charts", "NephosYAML"]

    /// A feature depends on the runner's room and its dependencies, and on neither a network library nor an engine.
    private var strayFeatures: [String] {
        let known = roomsBelow("NephosRunner").union(Self.librariesOfFeatures)
        return targets.filter { $0.key.wing == "Features" }.flatMap { room, declared in
            declared.subtracting(known).map { "\(room) declares \($0), which no feature may" }
        }
    }

    /// A room, and all that it depends on.
    private func roomsBelow(_ name: String) -> Set<String> {
        var known: Set = [name]
        // Each is above those that import it.
        for room in table.reversed() where known.contains(room.name) { known.formUnion(targets[room] ?? []) }
        return known
    }

    // MARK: Reading

    /// A row names its wing, or has that of the previous row.
    private static func table(in page: String) -> [Room] {
        guard let start = page.firstRange(of: "\n## Rooms\n")?.upperBound else { return [] }
        var wing = ""
        return page[start...].split(separator: "\n").prefix { !$0.hasPrefix("## ") }.flatMap { line -> [Room] in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5 else { return [] }
            if !cells[1].isEmpty { wing = cells[1] }
            return cells[2].matches(of: #/`([^`]+)`/#).map { Room(wing: wing, name: String($0.1)) }
        }
    }

    /// The calls that create targets, by the text between their parentheses.
    private static func targets(in manifest: String) -> [Room: Set<String>] {
        let named = manifest.matches(of: #/let (\w+): Target.Dependency = .target\(name: "(\w+)"/#)
            .map { (String($0.1), String($0.2)) }
        guard let start = manifest.firstRange(of: "\n    targets: [")?.upperBound else { return [:] }
        var targets: [Room: Set<String>] = [:]
        let calls = #/\n +(room|feature|tool|\.target|\.executableTarget|\.systemLibrary)\(/#
        for call in manifest[start...].matches(of: calls) {
            let text = arguments(manifest[call.range.upperBound...])
            var words = text.matches(of: #/"([^"]*)"/#).map { String($0.1) }
            let path = words.last { $0.hasPrefix("Sources/") }?.split(separator: "/")[1]
            let wing =
                switch call.1 {
                case "room": words.removeFirst()
                case "feature": "Features"
                default: path.map(String.init) ?? "Tools"
                }
            let room = Room(wing: wing, folder: words.removeFirst())
            let names = Set(text.split { !$0.isLetter }.map(String.init))
            targets[room] = Set(words + named.filter { names.contains($0.0) }.map(\.1))
        }
        return targets
    }

    /// The text before the closing parenthesis of a call.
    private static func arguments(_ text: Substring) -> Substring {
        var depth = 1
        return text.prefix { letter in
            depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
            return depth > 0
        }
    }

    /// The modules that a source imports.
    private static func imports(in source: String) -> Set<String> {
        let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private"]
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        return Set(
            source.split(separator: "\n").compactMap { line in
                guard line.contains("import ") else { return nil }
                let words = line.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
                guard words.first == "import" else { return nil }
                return words.dropFirst().first { !kinds.contains($0) }?.split(separator: ".").first.map(String.init)
            })
    }
}
