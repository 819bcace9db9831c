import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Records of a table (RFC 4180) whose first line names the fields of its columns, as ``CSVRecords`` writes it.
struct CSVReader {
    private var rows: CSVRows
    private let reading: ImportReading
    private let columns: [(name: Name, type: FieldType)]
    private let nameColumn: Int

    /// - Throws: ``Failure`` for columns that are no fields of the type, or whose values no cell holds.
    init(_ pieces: @escaping InputPieces, _ type: RecordType, _ reading: ImportReading) throws(Failure) {
        rows = CSVRows(pieces)
        self.reading = reading
        let head = try rows.next()?.cells.map { Name(bytes: $0.text[...]) } ?? []
        guard let nameColumn = head.firstIndex(of: CSVRecords.nameColumn) else {
            throw Failure("Line 1: there is no column recordName. The first line names the columns.")
        }
        guard Set(head).count == head.count else { throw Failure("Line 1: two columns have the same name.") }
        var columns: [(Name, FieldType)] = []
        for name in head {
            guard name != CSVRecords.nameColumn else {
                columns.append((name, .string))
                continue
            }
            guard Schema.SystemField(name: name) == nil, let field = type.fields[name] else {
                throw Failure("Line 1: \(type.row.name) has no field \(name.excerpt).")
            }
            guard field.kind.isOfCells else {
                throw Failure(
                    "Line 1: CSV cannot carry the field \(name.excerpt), which is \(field.kind.tag). Import it as ndjson."
                )
            }
            columns.append((name, field.kind))
        }
        (self.nameColumn, self.columns) = (nameColumn, columns)
    }

    /// nil at the end.
    mutating func next() throws(Failure) -> ImportedRecord? {
        guard let (line, cells) = try rows.next() else { return nil }
        guard cells.count == columns.count else {
            throw Failure("Line \(line) has \(cells.count) cells; the first line names \(columns.count) columns.")
        }
        var json = JSONWriter()
        json.beginObject()
        for (place, cell) in cells.enumerated() where place != nameColumn {
            let (name, type) = columns[place]
            json.key(named: name)
            json.beginObject()
            if !cell.isEmpty {
                json.member("type", type.tag)
                json.key("value")
                guard Self.write(cell, type, to: &json) else {
                    throw Failure("Line \(line): the cell of the field \(name.excerpt) is not a valid \(type.tag).")
                }
            }
            json.endObject()
        }
        json.endObject()
        return try reading.record(Name(bytes: cells[nameColumn].text[...]), json.bytes[...], nil, line: line)
    }

    /// - Returns: False for what is not a value of the type.
    private static func write(_ cell: CSVRows.Cell, _ type: FieldType, to json: inout JSONWriter) -> Bool {
        guard let text = String(validating: cell.text, as: UTF8.self) else { return false }
        switch type {
        case .int64:
            guard let number = Int64(text) else { return false }
            json.int64(number)
        case .double:
            guard let number = Double(text), number.isFinite, text.utf8.allSatisfy("+-.0123456789eE".utf8.contains)
            else {
                return false
            }
            json.double(number)
        case .timestamp:
            guard let time = time(text) else { return false }
            json.int64(time)
        default: json.string(text)
        }
        return true
    }

    /// A time as exports write it: with a zone, since without one another machine would read another time, and a day that there is.
    private static func time(_ text: String) -> Int64? {
        if let number = Int64(text) { return DateText.text(number) == text ? number : nil }
        guard text.hasSuffix("Z"), let time = DateText.milliseconds(text) else { return nil }
        return DateText.text(time).prefix(10) == text.prefix(10) ? time : nil
    }
}
