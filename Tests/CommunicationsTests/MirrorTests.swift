import CloudKit
import Communications
import CommunicationsCloudKit
import Foundation
import NephosTesting
import RequestTesting
import Testing

/// docs/messages.md, "Apps without support for messages": records as read by apps that know only the twelve fields.
@Suite("Messages that older apps read") struct MirrorTests {
    /// Parses a record as strictly as the article's app: each field must be present, texts are split at each `|` and each `=`, a
    /// version is a decimal number, and what was shown is identified by an increasing number.
    private struct StrictApp {
        let container: CKContainer
        var lastShown = -1

        struct Shown: Equatable {
            var title, content, okayTitle: String
            var kind: String
            var identifier: Int
        }

        mutating func next(_ language: String, version: Double) async throws -> Shown? {
            let query = CKQuery(recordType: "Communs", predicate: NSPredicate(format: "isCurrent == 1"))
            let (matches, _) = try await container.publicCloudDatabase.records(matching: query)
            guard let record = try matches.first?.1.get() else { return nil }
            var texts: [String: [String: String]] = [:]
            for field in ["title", "content", "okayTitle", "cancelTitle", "actionTitle", "imageLabel"] {
                guard let packed = record[field] as? String, let read = Self.read(packed) else { return nil }
                texts[field] = read
            }
            guard let asset = record["image"] as? CKAsset, let file = asset.fileURL,
                try Data(contentsOf: file).starts(with: [0x89, 0x50, 0x4E, 0x47]),
                let schema = record["version"] as? Int, schema <= 0, let identifier = record["identifier"] as? Int,
                identifier > lastShown, let type = record["type"] as? String
            else { return nil }
            let words = type.split(separator: "|").map(String.init)
            var kind = words[0]
            switch kind {
            case "information", "email": break
            case "website":
                guard words.count > 1, URL(string: words[1]) != nil else { return nil }
            case "newVersion":
                guard words.count > 1, let needed = Double(words[1]) else { return nil }
                kind = version >= needed ? "have it" : "update"
            default: return nil
            }
            lastShown = identifier
            func text(_ field: String) -> String { texts[field]?[language] ?? texts[field]?["en"] ?? "" }
            return Shown(
                title: text("title"), content: text("content"), okayTitle: text("okayTitle"), kind: kind,
                identifier: identifier)
        }

        private static func read(_ packed: String) -> [String: String]? {
            var texts: [String: String] = [:]
            for part in packed.components(separatedBy: "|") {
                let pieces = part.components(separatedBy: "=")
                if pieces.count == 2, ["en", "es"].contains(pieces[0]) { texts[pieces[0]] = pieces[1] }
            }
            return texts.isEmpty ? nil : texts
        }
    }

    @Test(
        "An app as strict as the article's shows each kind it knows, once, in its language (S2-16, S2-25, S2-26)")
    func strict() async throws {
        let cloud = try await CommunCloud()
        var app = StrictApp(container: cloud.container())
        #expect(try await app.next("es", version: 2.4) == nil)
        let expected = ["information", "website", "update", "email", nil]
        for (place, (fields, _)) in kinds.enumerated() {
            for other in 0..<place { try cloud.withdraw("m\(other)", kinds[other].fields) }
            try cloud.save("m\(place)", fields.merging(["body": .string(#"{"en":"1 = 1 | 2","es":"sí"}"#)]) { $1 })
            await cloud.cloud.runDueJobs()
            let shown = try await app.next("es", version: 2.4)
            #expect(shown?.kind == expected[place], "\(String(describing: shown))")
            guard let shown else { continue }
            #expect(shown.title == "title (es)" && shown.content == "sí" && shown.identifier == place + 1)
            #expect(!shown.okayTitle.isEmpty)
            // Seen.
            #expect(try await app.next("en", version: 2.4) == nil)
        }
        var other = StrictApp(container: cloud.container())
        try cloud.withdraw("m4", kinds[4].fields)
        try cloud.save("m2", kinds[2].fields)
        await cloud.cloud.runDueJobs()
        #expect(try await other.next("en", version: 2.5)?.kind == "have it")
    }

    @Test("The kit shows the same from these records as over HTTP", arguments: 0..<5)
    func kit(place: Int) async throws {
        let cloud = try await CommunCloud()
        let (fields, action) = kinds[place]
        try cloud.save("a", fields)
        await cloud.cloud.runDueJobs()
        let asked = question("es-MX", version: "2.4")
        let one = try #require(try await cloud.getter().getCommunication(asked))
        let other = try #require(try await cloud.records().getCommunication(asked))
        let (first, second) = (
            CommunPresentation(one, locale: "es-MX"), CommunPresentation(other, locale: "es-MX")
        )
        #expect(first.title == second.title && first.body == second.body)
        #expect(first.buttons.map(\.title) == second.buttons.map(\.title))
        #expect(one.action == action)
        // A mail's subject cannot be expressed in this format.
        if place != 3 { #expect(other.action == action) }
    }
}
