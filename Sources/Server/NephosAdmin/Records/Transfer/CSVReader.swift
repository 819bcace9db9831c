import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Records of a table whose first line names the fields of its columns, as ``CSVRecords`` writes it, with any separator of ``CSVRows``.
///
/// A column without a name is skipped if it is empty. A row may have additional empty cells, and may lack cells at its end,
/// which spreadsheets leave out if they are empty.
struct CSVReader {
    private var rows: CSVRows
    private let reading: ImportReading
    /// nil for a column without a name.
    private let columns: [(name: Name, type: FieldType)?]
    private let nameColumn: Int

    /// - Throws: ``Failure`` for columns that are no fields of the type, or whose values no cell holds.
    init(
        _ pieces: @escaping InputPieces, _ type: RecordType, in environment: Environment, _ reading: ImportReading
    ) throws(Failure) {
        rows = CSVRows(pieces)
        self.reading = reading
        let (line, cells) = try rows.next() ?? (1, [])
        let names = cells.map { $0.text.allSatisfy(\.isWhitespace) ? nil : Name($0.text) }
        let head = Array(names.prefix((names.lastIndex { $0 != nil } ?? -1) + 1))
        guard let nameColumn = head.firstIndex(of: CSVRecords.nameColumn) else {
            throw Failure(
                "Line \(line): there is no column recordName. The first line names the columns, separated by commas, semicolons "
                    + "or tabs.")
        }
        var seen: Set<Name> = []
        if let twice = head.compactMap({ $0 }).first(where: { !seen.insert($0).inserted }) {
            throw Failure("Line \(line): two columns have the same name: \(twice.excerpt).")
        }
        var columns: [(name: Name, type: FieldType)?] = []
        for name in head {
            guard let name else {
                columns.append(nil)
                continue
            }
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
        try checkCount(cells, line: line)
        var json = JSONWriter()
        json.beginObject()
        for (place, column) in columns.enumerated() where place != nameColumn {
            let cell = cell(place, of: cells)
            guard let (name, type) = column else {
                guard cell.text.isEmpty else {
                    throw Failure(
                        "Line \(line): there is a text in column \(place + 1), which has no name in the first line. "
                            + "Name the column, or remove it.")
                }
                continue
            }
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
            Name(SpreadsheetCell.unguarded(cell(nameColumn, of: cells).text)), json.bytes[...], nil, line: line)
    }

    private func cell(_ place: Int, of cells: [CSVRows.Cell]) -> CSVRows.Cell {
        place < cells.count ? cells[place] : CSVRows.Cell()
    }

    /// - Throws: ``Failure`` for a text beyond the last column, and for a row that probably has another separator.
    private func checkCount(_ cells: [CSVRows.Cell], line: Int) throws(Failure) {
        let count = (cells.lastIndex { !$0.text.isEmpty } ?? -1) + 1
        guard count > columns.count || cells.count < columns.count && cells.contains(where: \.hasOtherSeparator) else {
            return
        }
        let hint = count > columns.count ? " Put a text that contains a \(rows.separatorName) in quotes." : ""
        throw Failure(
            "Line \(line) has \(count == 1 ? "1 cell" : "\(count) cells"); the first line names "
                + "\(columns.count == 1 ? "1 column" : "\(columns.count) columns").\(hint)")
    }
}

extension CSVRows.Cell {
    /// Whether it probably is several cells of a table with another separator.
    fileprivate var hasOtherSeparator: Bool { !isQuoted && text.utf8.contains(where: CSV.separators.contains) }
}
