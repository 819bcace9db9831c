import NephosRunner

/// What an operator hands in, byte by byte, with the number of the line; the mark at the beginning of UTF-8 files is passed over.
struct InputBytes {
    private let next: InputPieces
    private var piece: [UInt8] = []
    private var position = 0
    private var isFirst = true
    /// Counted from 1.
    private(set) var line = 1

    init(_ next: @escaping InputPieces) { self.next = next }

    /// nil at the end.
    mutating func peek() throws(Failure) -> UInt8? {
        if position == piece.count {
            (piece, position) = (try next(), 0)
            if isFirst {
                // Three bytes come together, but for whoever writes them one by one.
                if piece.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
                isFirst = false
                if position == piece.count, !piece.isEmpty { return try peek() }
            }
            if piece.isEmpty { return nil }
        }
        return piece[position]
    }

    mutating func pop() throws(Failure) -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == CSV.newline { line += 1 }
        return byte
    }
}

extension InputBytes {
    /// - Throws: ``Failure`` for a line, or a row of a table, that has more bytes than are read.
    static func checkLength(_ count: Int, line: Int) throws(Failure) {
        // A record of 1 MiB whose every byte is escaped.
        guard count <= 8 << 20 else { throw Failure("Line \(line) has more than 8 MiB.") }
    }
}

/// Lines without what ends them; empty ones are passed over.
struct InputLines {
    private var bytes: InputBytes

    init(_ next: @escaping InputPieces) { bytes = InputBytes(next) }

    /// nil at the end.
    mutating func next() throws(Failure) -> (line: Int, text: [UInt8])? {
        while try bytes.peek() != nil {
            let line = bytes.line
            var text: [UInt8] = []
            while let byte = try bytes.pop(), byte != CSV.newline {
                text.append(byte)
                try InputBytes.checkLength(text.count, line: line)
            }
            if text.last == CSV.return { text.removeLast() }
            if !text.allSatisfy({ $0 == CSV.space }) { return (line, text) }
        }
        return nil
    }
}
