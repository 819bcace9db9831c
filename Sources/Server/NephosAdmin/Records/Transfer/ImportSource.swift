import NephosRunner

/// The records of an input, one after the other. Each name occurs once.
struct ImportSource {
    enum Form {
        case lines(InputLines, ImportReading)
        case table(CSVReader)
    }

    private var form: Form
    private var names = ImportedNames()

    init(_ form: Form) { self.form = form }

    /// nil at the end.
    mutating func next() throws(Failure) -> ImportedRecord? {
        guard let record = try read() else { return nil }
        try names.add(record)
        return record
    }

    private mutating func read() throws(Failure) -> ImportedRecord? {
        switch form {
        case .lines(var lines, let reading):
            defer { form = .lines(lines, reading) }
            guard let (line, text) = try lines.next() else { return nil }
            return try reading.record(json: text, line: line)
        case .table(var reader):
            defer { form = .table(reader) }
            return try reader.next()
        }
    }
}
