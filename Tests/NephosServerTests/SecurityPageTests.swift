import Foundation
import Testing

/// docs/security.md names tests for each threat: they exist.
@Suite struct SecurityPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    /// The first cell of each row of the tables that name tests, and the names in backticks in the last.
    private static func rows() throws -> [(threat: String, names: [String])] {
        let page = try String(contentsOf: root.appending(path: "docs/security.md"), encoding: .utf8)
        return try ["## Threats\n", "## What answers depend on\n"].flatMap { heading in
            let rest = page[try #require(page.firstRange(of: heading)).upperBound...]
            let section = rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
            return section.split(separator: "\n").compactMap { line -> (threat: String, names: [String])? in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count >= 3, !["threat", "answer", "---"].contains(cells[0]) else { return nil }
                return (cells[0], (cells.last ?? "").matches(of: #/`([^`]+)`/#).map { String($0.1) })
            }
        }
    }

    /// The functions in the files of each type of the tests, by the type's name.
    private static func declared() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        for folder in ["Tests", "Sources/Testing"] {
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            for file in (files?.compactMap { $0 as? String } ?? []) where file.hasSuffix(".swift") {
                let text = try String(contentsOf: root.appending(path: "\(folder)/\(file)"), encoding: .utf8)
                let words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                func names(behind keywords: Set<Substring>) -> [String] {
                    zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map { String($0.1) }
                }
                let functions = names(behind: ["func"])
                for type in names(behind: ["struct", "enum", "class", "extension"]) {
                    found[type, default: []].formUnion(functions)
                }
            }
        }
        return found
    }

    @Test("Every documented threat names a test, and that test exists (S0-34)") func testsAreThere() throws {
        let (rows, declared) = (try Self.rows(), try Self.declared())
        #expect(rows.count >= 16)
        for (threat, names) in rows {
            #expect(!names.isEmpty, "no test is named: \(threat)")
            // The fuzzer is a script with an argument.
            for name in names where !name.contains("/") {
                let parts = name.split(separator: ".").map(String.init)
                let functions = declared[parts[0]]
                #expect(functions != nil, "\(name) is not there: \(threat)")
                if parts.count == 2 { #expect(functions?.contains(parts[1]) == true, "\(name): \(threat)") }
            }
        }
    }
}
