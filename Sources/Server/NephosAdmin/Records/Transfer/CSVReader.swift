import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Records of a table whose first line names the fields of its columns, as ``CSVRecords`` writes it, with any separator of ``CSVRows``.
struct CSVReader {
    private var rows: CSVRows
    private let reading: ImportReading
    private let columns: [(name: Name, type: FieldType)]
    private let nameColumn: Int

    /// - Throws: ``Failure`` for columns that are no fields of the type, or whose values no cell holds.
    init(
        _ pieces: @escaping InputPieces, _ type: RecordType, in environment: Environment, _ reading: ImportReading
    ) throws(Failure) {
        rows = CSVRows(pieces)
        self.reading = reading
        let (line, cells) = try rows.next() ?? (1, [])
        let head = cells.map { Name($0.text) }
        guard let nameColumn = head.firstIndex(of: CSVRecords.nameColumn) else {
            throw Failure(
                "Line \(line): there is no column recordName. The first line names the columns, separated by commas, semicolons "
                    + "or tabs.")
        }
        var seen: Set<Name> = []
        if let twice = head.first(where: { !seen.insert($0).inserted }) {
            throw Failure("Line \(line): two columns have the same name: \(twice.excerpt).")
        }
        var columns: [(Name, FieldType)] = []
        for name in head {
            guard name != CSVRecords.nameColumn else {
                columns.append((name, .string))
                continue
            }
            guard Schema.SystemField(name: name) == nil else {
                throw Failure("Line \(line): the server sets \(name.excerpt) itself. Remove the column.")
            }
            guard let field = type.fields[name] else {
                let way =
                    environment == .development
                    ? "Add it with nephos schema import"
                    : "Add it in development with nephos schema import, followed by nephos schema deploy"
                throw Failure(
                    "Line \(line): \(type.row.name) has no field \(name.excerpt). \(way), or remove the column.")
            }
            guard field.kind.isOfCells else {
                throw Failure(
                    "Line \(line): CSV cannot carry the field '\(name.excerpt)' of type \(field.kind.schemaWords). "
                        + "Import it as ndjson.")
            }
            columns.append((name, field.kind))
        }
        (self.nameColumn, self.columns) = (nameColumn, columns)
    }

    /// nil at the end.
    mutating func next() throws(Failure) -> ImportedRecord? {
        guard let (line, cells) = try rows.next() else { return nil }
        guard cells.count == columns.count else {
            let hint =
                cells.count > columns.count ? " Put a text that contains a \(rows.separatorName) in quotes." : ""
            throw Failure(
                "Line \(line) has \(cells.count == 1 ? "1 cell" : "\(cells.count) cells"); the first line names "
                    + "\(columns.count == 1 ? "1 column" : "\(columns.count) columns").\(hint)")
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
                guard CSVValue.write(cell.text, type, to: &json) else {
                    let text = WireError.excerpt(cell.text)
                    let rest = text.unicodeScalars.count < cell.text.unicodeScalars.count ? "…" : ""
                    let expectation = CSVValue.expectation(of: type, insteadOf: cell.text)
                    throw Failure("Line \(line): \(name.excerpt) is \"\(text)\(rest)\"; \(expectation).")
                }
            }
            json.endObject()
        }
        json.endObject()
        return try reading.record(
            Name(SpreadsheetCell.unguarded(cells[nameColumn].text)), json.bytes[...], nil, line: line)
    }
}
