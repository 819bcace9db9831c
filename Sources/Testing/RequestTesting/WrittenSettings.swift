import CloudKitWire
import NephosConstraints
import NephosContent
import NephosDomain
import NephosFlags
import NephosMessages
import NephosRunner
import NephosSettings
import NephosStorage
import NephosTrends
import NephosYAML

/// Settings in the format of corpus files (docs/settings.md). Any bytes are a valid file.
package struct WrittenSettings: Sendable {
    private let bytes: [UInt8]

    package init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    private static let rules: RuleBook = {
        let features = [Feature.settings, .constraints, .content, .flags, .messages, .trends]
        return RuleBook(sections: features.flatMap(\.rules.sections))
    }()

    /// Parses it as an import does, and returns what is wrong with the outcome; nil if nothing is.
    package func problem() -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        do throws(Wrong) {
            guard let sections = try read(text) else { return nil }
            try checkPrint(of: sections)
            try checkImport(of: text, sections)
            return nil
        } catch {
            return error.what
        }
    }

    private struct Wrong: Error {
        let what: String
        init(_ what: String) { self.what = what }
    }

    private typealias Sections = [(name: String, document: Bytes)]

    /// nil if it is rejected, with a reason and a place.
    private func read(_ text: String) throws(Wrong) -> Sections? {
        do throws(YAMLFailure) {
            return try SettingsText(text).sections
        } catch {
            try checkReason(error.reason)
            guard let place = error.place else { return nil }
            // YAML has line breaks beyond ASCII; the end of a file may be reported as the line after it.
            let breaks = text.unicodeScalars.count { "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
            guard (0...breaks + 2).contains(place.line), (0...text.unicodeScalars.count + 1).contains(place.column)
            else { throw Wrong("\(place) is not in the file") }
            return nil
        }
    }

    private func checkReason(_ reason: String) throws(Wrong) {
        guard !reason.isEmpty else { throw Wrong("a rejection has no reason") }
        guard reason.utf8.count < 4_096 else { throw Wrong("a rejection quotes the file: \(reason.prefix(80))") }
    }

    /// Printing the settings must preserve their meaning.
    private func checkPrint(of sections: Sections) throws(Wrong) {
        let again: Sections
        do { again = try SettingsText(try SettingsText.print(sections)).sections } catch {
            throw Wrong("the printed settings cannot be read: \(error)")
        }
        guard again.elementsEqual(sections, by: { $0.name == $1.name && $0.document == $1.document }) else {
            throw Wrong("the printed settings are \(Self.text(again)), not \(Self.text(sections))")
        }
    }

    private static func text(_ sections: Sections) -> String {
        sections.map { "\($0.name) \(String(decoding: $0.document, as: UTF8.self))" }.joined(separator: ", ")
    }

    // MARK: Imports

    /// Imports into an empty container: accepted settings must be exported as written, and importing them again must change
    /// nothing.
    private func checkImport(of text: String, _ sections: Sections) throws(Wrong) {
        let documents: [String: Bytes?]
        do throws(Failure) { documents = try Self.change(to: text, of: Self.catalog([])) } catch {
            return try checkReason("\(error)")
        }
        guard Set(documents.filter { $0.value != nil }.keys) == Set(sections.map(\.name) + ["settings"]) else {
            throw Wrong("sections are lost")
        }
        let rows = documents.compactMap { name, document in
            document.map { SectionRow(name: name, document: $0, isDeployed: true, changedAt: 1) }
        }
        do throws(Failure) {
            guard try ContainerSettings(Self.catalog(rows)).text() == text else { throw Failure("another file") }
            // As after a deployment: without the file.
            let printed = try ContainerSettings(Self.catalog(rows.filter { $0.name != "settings" })).text()
            var again = try Self.change(to: printed, of: Self.catalog([]))
            again["settings"] = documents["settings"]
            guard again == documents else { throw Failure("a different file is printed") }
        } catch {
            throw Wrong("the export differs from the import: \(error)")
        }
        for (name, document) in sections { try checkMeaning(of: document, name) }
    }

    private static func change(to text: String, of catalog: Catalog) throws(Failure) -> [String: Bytes?] {
        try ContainerSettings(catalog).change(to: text, in: .development, by: "ada", now: 1).documents
    }

    private static func catalog(_ rows: [SectionRow]) -> Catalog {
        Catalog(head: Catalog.placeholder.head, rows: rows.map { .section($0) }).deriving { rules.rules(of: $0) }
    }

    /// A section must mean the same for any order of the keys of its objects, if it does not depend on others.
    private func checkMeaning(of document: Bytes, _ name: String) throws(Wrong) {
        guard name != "audiences", let section = Self.rules.sections.first(where: { $0.name == name }) else { return }
        do {
            var json = try JSONReader(document)
            let other = try section.anyValue(of: try json.readReversed()[...])
            guard let value = try section.anyValue(of: document) as? any Equatable, value.isSame(as: other) else {
                throw Wrong("\(name) has a different meaning in another order")
            }
        } catch let wrong as Wrong {
            throw wrong
        } catch {
            throw Wrong("\(name) cannot be read in another order: \(error)")
        }
    }
}

extension Equatable {
    fileprivate func isSame(as other: any Sendable) -> Bool { (other as? Self) == self }
}

extension JSONReader {
    /// The next value with the keys of all its objects in reverse order.
    fileprivate mutating func readReversed() throws(WireError) -> [UInt8] {
        var writer = JSONWriter()
        switch try kind {
        case .object:
            var members: [(Name, [UInt8])] = []
            try readObject { json, key throws(WireError) in
                members.append((key.name.owned, try json.readReversed()))
            }
            writer.beginObject()
            for (name, value) in members.reversed() {
                writer.key(named: name)
                writer.raw(value[...])
            }
            writer.endObject()
        case .array:
            writer.beginArray()
            var values: [[UInt8]] = []
            try readArray { json, _ throws(WireError) in values.append(try json.readReversed()) }
            for value in values { writer.raw(value[...]) }
            writer.endArray()
        case .string, .number, .bool, .null: writer.raw(try skipValue())
        }
        return writer.bytes
    }
}
