import NephosRunner

/// Rows of CSV (RFC 4180). The first comma, semicolon or tab that follows a cell of the first row separates the cells of all rows:
/// spreadsheets of many languages write semicolons, because their numbers have a comma. Rows without any text are skipped:
/// spreadsheets write such rows after the last one.
struct CSVRows {
    struct Cell: Equatable {
        var text = ""
        /// An empty cell without quotes holds nothing, one with quotes an empty text.
        var isQuoted = false
        var isEmpty: Bool { text.isEmpty && !isQuoted }
    }

    private var bytes: InputBytes
    /// nil before the first row.
    private var separator: UInt8?

    init(_ next: @escaping InputPieces) { bytes = InputBytes(next) }

    /// nil at the end.
    ///
    /// - Throws: ``Failure`` for a row that is too long, is not UTF-8, or has a quote that is not closed or is followed by text.
    mutating func next() throws(Failure) -> (line: Int, cells: [Cell])? {
        while try bytes.peek() != nil {
            let line = bytes.line
            var cells: [Cell] = []
            var length = 0
            repeat {
                let cell = try cell(line)
                // A cell without a text takes memory as well.
                length += cell.text.utf8.count + 32
                try InputBytes.checkLength(length, line: line)
                cells.append(cell)
            } while try takeSeparator()
            _ = try take(CSV.return)
            if try bytes.peek() != nil, try !take(CSV.newline) {
                throw Failure(
                    "Line \(line): there is text after the quote that closes a cell. Write \"\" for a quote in a text.")
            }
            guard cells.contains(where: { !$0.text.isEmpty }) else { continue }
            separator = separator ?? CSV.comma
            return (line, cells)
        }
        return nil
    }

    /// The word for what separates the cells.
    var separatorName: String {
        switch separator {
        case CSV.semicolon: "semicolon"
        case CSV.tab: "tab"
        default: "comma"
        }
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        if let separator { return byte == separator }
        return CSV.separators.contains(byte)
    }

    private mutating func takeSeparator() throws(Failure) -> Bool {
        guard let byte = try bytes.peek(), isSeparator(byte) else { return false }
        separator = byte
        _ = try bytes.pop()
        return true
    }

    private mutating func take(_ byte: UInt8) throws(Failure) -> Bool {
        guard try bytes.peek() == byte else { return false }
        _ = try bytes.pop()
        return true
    }

    private mutating func cell(_ line: Int) throws(Failure) -> Cell {
        var text: [UInt8] = []
        guard try take(CSV.quote) else {
            while let byte = try bytes.peek(), byte != CSV.newline, byte != CSV.return, !isSeparator(byte) {
                text.append(byte)
                _ = try bytes.pop()
                try InputBytes.checkLength(text.count, line: line)
            }
            return Cell(text: try Self.text(text, line: line))
        }
        while let byte = try bytes.pop() {
            if byte == CSV.quote, try !take(CSV.quote) {
                return Cell(text: try Self.text(text, line: line), isQuoted: true)
            }
            text.append(byte)
            try InputBytes.checkLength(text.count, line: line)
        }
        throw Failure("Line \(line): a quote is not closed.")
    }

    private static func text(_ bytes: [UInt8], line: Int) throws(Failure) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("Line \(line) is not UTF-8. Save the file as CSV UTF-8.")
        }
        return text
    }
}
