import Audience
import CloudKitWire
import NephosDomain
import NephosQueries
import NephosStorage

/// Refuses content that cannot work: that ends before it begins, or requires proofs that nobody can have.
struct ContentRule: RecordRule {
    static let weights: ClosedRange<Int64> = 1...1_000
    /// The limits of `access`: words, and bytes per word. Every query checks all of them.
    static let wordsMax = 64, wordBytesMax = 255

    /// The rule consists of ``check(_:in:)`` only.
    func concerns(_ type: Name, in catalog: Catalog) -> Bool { false }

    func check(_ type: Name, in catalog: Catalog) -> RecordCheck? {
        do throws(SectionFailure) {
            guard let content = try catalog.content().types[type] else { return nil }
            let audiences = content.fields[.audience] == nil ? AudienceBook.empty : try catalog.audiences()
            return { fields in content.violation(in: fields, audiences).map { .badRequest($0) } }
        } catch {
            return { _ in .badRequest("the content settings of the container cannot be read by this server: \(error)") }
        }
    }
}

extension ContentType {
    /// What is wrong with a record of the type, for people; nil for nothing.
    ///
    /// - Parameters:
    ///   - audiences: Those that it may name.
    ///   - edits: Times to be set in addition to its fields; nil to remove one.
    func violation(
        in fields: Bytes, _ audiences: AudienceBook, with edits: [Role: Milliseconds?] = [:]
    ) -> String? {
        let roles = self.fields.sorted { $0.value < $1.value }
        var values: [Role: StoredValue] = [:]
        CanonicalFields.read(roles.map(\.value), in: fields) { place, value in values[roles[place].key] = value }
        func time(_ role: Role) -> Milliseconds? { edits[role] ?? values[role]?.integer }
        for role in [Role.publishedAt, .until] {
            guard let time = time(role) else { continue }
            if time < 0 { return "\(name(role)) is before 1970" }
            if !Recurrence.moments.contains(time) {
                return "\(name(role)) is after the year 9999: leave it empty for no end"
            }
        }
        if let start = time(.publishedAt), let end = time(.until), end <= start {
            return "\(name(.until)) must be after \(name(.publishedAt))"
        }
        if let weight = values[.weight]?.integer, !ContentRule.weights.contains(weight) {
            return
                "\(name(.weight)) must be a number from \(ContentRule.weights.lowerBound) to \(ContentRule.weights.upperBound)"
        }
        if let flaw = values[.every]?.bytes.flatMap(RecurringHours.flaw) {
            return "\(name(.every)) does not contain valid recurring hours: \(flaw)"
        }
        if let flaw = values[.audience]?.bytes.flatMap({ AudienceText.flaw($0, audiences) }) {
            return "\(name(.audience)): \(flaw)"
        }
        if let collection = values[.collection]?.bytes,
            collection.count > ContentRule.wordBytesMax || collection.contains(UInt8(ascii: ","))
        {
            return "\(name(.collection)) must have at most \(ContentRule.wordBytesMax) bytes, and no comma"
        }
        let words = values[.access]?.texts ?? []
        guard words.count <= ContentRule.wordsMax, words.allSatisfy({ $0.utf8.count <= ContentRule.wordBytesMax })
        else {
            return
                "\(name(.access)) must have at most \(ContentRule.wordsMax) words of \(ContentRule.wordBytesMax) bytes"
        }
        if let wrong = words.first(where: { !Self.isProof($0) }) {
            return "\(name(.access)) contains '\(wrong.prefix(40))': use signedIn, role:NAME or fact:NAME"
        }
        return nil
    }

    private func name(_ role: Role) -> String { fields[role]?.text ?? role.rawValue }

    /// Whether a word names something that a person may have proved.
    static func isProof(_ word: String) -> Bool {
        word == "signedIn" || ["role:", "fact:"].contains { word.hasPrefix($0) && word.utf8.count > $0.utf8.count }
    }
}

extension StoredValue {
    /// The elements of a LIST<STRING>.
    var texts: [String] {
        var texts: [String] = []
        forEachElement { element in
            if let bytes = element.bytes { texts.append(String(decoding: bytes, as: UTF8.self)) }
        }
        return texts
    }
}
