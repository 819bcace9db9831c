import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Records as lines of a table for spreadsheets (RFC 4180): the name, then a column for each field. A field that a record does not have
/// is an empty cell; an empty text stands in quotes, and one that a spreadsheet would run after an apostrophe (``SpreadsheetCell``).
struct CSVRecords {
    /// The heading of the first column.
    static let nameColumn: Name = "recordName"

    private let columns: [(name: Name, type: FieldType)]

    /// - Parameter fields: Those that are wanted; empty for all of the type.
    /// - Throws: ``Failure`` for a field that is not there, and for one whose values no cell holds.
    init(_ type: RecordType, fields: [Name]) throws(Failure) {
        var columns: [(Name, FieldType)] = []
        for field in try type.fields(named: fields) {
            try Self.check(field.name, field.kind)
            columns.append((field.name, field.kind))
        }
        self.columns = columns
    }

    /// - Throws: ``Failure`` where cells cannot hold the values of a field.
    static func check(_ field: Name, _ type: FieldType) throws(Failure) {
        guard type.isOfCells else {
            throw Failure(
                "CSV cannot carry the field '\(field.excerpt)' of type \(type.schemaWords). Pass --output ndjson, or "
                    + "name only the other fields with --requested-fields.", kind: .wrongUsage)
        }
    }

    var head: [UInt8] {
        var line: [UInt8] = []
        for name in [Self.nameColumn] + columns.map(\.name) { Self.append(name.bytes, to: &line) }
        return Self.ended(line)
    }

    /// - Throws: ``Failure`` for a record that has a parent, or a value that became another type meanwhile.
    func line(of found: FoundRecord) throws(Failure) -> [UInt8] {
        let row = found.record.row
        guard row.parent == nil else {
            throw Failure("CSV cannot carry the parent of record \(row.name.excerpt). Use ndjson.")
        }
        var line: [UInt8] = []
        Self.append(SpreadsheetCell.guarded(row.name.bytes), to: &line)
        for (name, type) in columns {
            guard let value = CanonicalFields.value(of: name, in: row.fields) else {
                line.append(UInt8(ascii: ","))
                continue
            }
            guard let text = Self.text(value, type) else {
                throw Failure(
                    "CSV cannot carry the field '\(name.excerpt)' of record \(row.name.excerpt). Pass --output ndjson.")
            }
            // Base64 can begin with a plus. The text of any other type is a number or a time, which runs nothing.
            Self.append([.string, .bytes].contains(type) ? SpreadsheetCell.guarded(text) : text, to: &line)
        }
        return Self.ended(line)
    }

    /// What a cell shows of a field value; nil where it is of another type.
    private static func text(_ dictionary: Bytes, _ type: FieldType) -> Bytes? {
        var (tag, value): (FieldType?, Bytes?)
        do {
            var reader = try JSONReader(dictionary)
            try reader.readObject { reader, key throws(WireError) in
                switch key {
                case "type": tag = FieldType(tag: String(decoding: try reader.readString(), as: UTF8.self))
                case "value":
                    value = try reader.kind == .string ? try reader.readString() : try reader.skipValue()
                default: break
                }
            }
        } catch { return nil }
        guard tag == type, let value else { return nil }
        guard type == .timestamp else { return value }
        return Int64(String(decoding: value, as: UTF8.self)).map { Array(DateText.text($0).utf8)[...] }
    }

    /// Appends a cell with a comma after it.
    private static func append(_ text: Bytes, to line: inout [UInt8]) {
        // A spreadsheet may take semicolons and tabs for separators as well.
        let isPlain = text.allSatisfy { byte in
            ![CSV.quote, CSV.comma, CSV.semicolon, CSV.tab, CSV.newline, CSV.return].contains(byte)
        }
        if isPlain, let first = text.first, let last = text.last, first != CSV.space, last != CSV.space {
            line += text
        } else {
            line.append(CSV.quote)
            for byte in text { line += byte == CSV.quote ? [CSV.quote, CSV.quote] : [byte] }
            line.append(CSV.quote)
        }
        line.append(CSV.comma)
    }

    /// A line without the comma after its last cell.
    private static func ended(_ line: [UInt8]) -> [UInt8] { line.dropLast() + [CSV.newline] }
}

extension FieldType {
    /// As a schema spells it, such as `LIST<STRING>`.
    var schemaWords: String { Schema.DataType(self)?.words ?? tag }

    /// Whether one cell of a table holds all of a value.
    var isOfCells: Bool {
        switch self {
        case .string, .int64, .double, .timestamp, .bytes: true
        default: false
        }
    }
}

/// The bytes that mean something in CSV.
enum CSV {
    static let quote = UInt8(ascii: "\"")
    static let comma = UInt8(ascii: ",")
    static let semicolon = UInt8(ascii: ";")
    static let tab = UInt8(ascii: "\t")
    static let newline = UInt8(ascii: "\n")
    static let `return` = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let separators = [comma, semicolon, tab]
}
