import CloudKitWire
import NephosStorage

/// A record's fields in query cases: a number, a text and a list of texts, each of which may be missing.
struct Card: Sendable, Equatable {
    var count: Int64?
    var title: String?
    var tags: [String]?
    /// Whether the title is stored as a number, as by a client with another schema.
    var titleIsNumber = false

    static let count = field("count", .int64)
    static let title = field("title", .string)
    static let tags = field("tags", .stringList)

    static func field(_ name: Name, _ type: FieldType, epoch: Int64 = 0) -> RecordField {
        .field(name, type, epoch: epoch)
    }

    /// In the canonical form of CloudKitWire.
    var fields: String {
        var parts: [String] = []
        if let count { parts.append(#""count":{"type":"INT64","value":\#(count)}"#) }
        if let tags {
            let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
            parts.append(#""tags":{"type":"STRING_LIST","value":[\#(list)]}"#)
        }
        if titleIsNumber {
            parts.append(#""title":{"type":"INT64","value":7}"#)
        } else if let title {
            parts.append(#""title":{"type":"STRING","value":"\#(title)"}"#)
        }
        return "{\(parts.joined(separator: ","))}"
    }

    init(count: Int64? = nil, title: String? = nil, tags: [String]? = nil, titleIsNumber: Bool = false) {
        self.count = count
        self.title = titleIsNumber ? nil : title
        self.tags = tags
        self.titleIsNumber = titleIsNumber
    }

    /// Parses the output of ``fields``.
    init(_ row: RecordRow) throws {
        if let value = CanonicalFields.value(of: "count", in: row.fields) {
            try Self.read(value) { reader throws(WireError) in count = try reader.readInt64() }
        }
        if let value = CanonicalFields.value(of: "tags", in: row.fields) {
            var list: [String] = []
            try Self.read(value) { reader throws(WireError) in
                try reader.readArray { reader, _ throws(WireError) in list.append(try reader.readName().text) }
            }
            tags = list
        }
        if let value = CanonicalFields.value(of: "title", in: row.fields) {
            try Self.read(value) { reader throws(WireError) in
                titleIsNumber = try reader.kind == .number
                if titleIsNumber { _ = try reader.readInt64() } else { title = try reader.readName().text }
            }
        }
    }

    private static func read(
        _ value: Bytes, _ body: (inout JSONReader) throws(WireError) -> Void
    ) throws(WireError) {
        var reader = try JSONReader(value)
        try reader.readObject { reader, key throws(WireError) in
            if case "value" = key { try body(&reader) } else { _ = try reader.skipValue() }
        }
    }

    /// Few different values, so that many cards are equal.
    static func random(_ dice: inout Dice) -> Card {
        let titles = ["", "a", "ab", "b", "ba", "c", "\u{E9}", "zzz"]
        let tags = ["red", "green", "blue", "r"]
        return Card(
            count: dice.roll(4) == 0 ? nil : Int64(dice.roll(9) - 4),
            title: dice.roll(5) == 0 ? nil : titles[dice.roll(titles.count)],
            tags: dice.roll(4) == 0 ? nil : (0..<dice.roll(4)).map { _ in tags[dice.roll(tags.count)] },
            titleIsNumber: dice.roll(12) == 0)
    }
}
