import NephosRunner

/// The standard streams of the running command, each with a single purpose.
enum Terminal {
    /// Writes the requested result: to a terminal what people can read, otherwise exactly this text.
    static func answer(_ text: String) {
        CommandContext.current.output(bytes(CommandContext.current.isShown ? text.printable(but: "\n\t") : text))
    }

    /// Writes the requested result as bytes. On a terminal, what would control it appears as JSON spells it, so that JSON remains
    /// the same JSON; in a file or another program, everything arrives exactly.
    static func answer(_ bytes: [UInt8]) {
        guard CommandContext.current.isShown else { return CommandContext.current.output(bytes) }
        let lines = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        let text = lines.printable(but: "\n\t") { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        CommandContext.current.output(Array(text.utf8))
    }

    /// Writes an answer, or a part of it.
    ///
    /// - Parameter files: Those that the command line names.
    /// - Throws: The failure that it ends with, and ``Failure`` for a file that cannot be written.
    static func show(_ answer: UseCaseAnswer, files: NamedFiles) throws(Failure) {
        var isAfterTable = false
        for part in answer.parts {
            switch part {
            case .text(let text): Terminal.answer(text)
            case .bytes(let bytes): Terminal.answer(bytes)
            case .table(let head, let rows): Terminal.answer((isAfterTable ? "\n" : "") + Table(head, rows).text)
            case .file(let file, let bytes): try files.write(bytes, to: file)
            case .note(let text), .emptyTable(_, let text): note(text)
            }
            if case .table = part { isAfterTable = true } else { isAfterTable = false }
        }
        if let failure = answer.failure { throw failure }
    }

    /// All of standard input.
    ///
    /// - Throws: ``Failure`` for more than a command reads.
    static func input() throws(Failure) -> [UInt8] {
        noteReading()
        let bytes = CommandContext.current.input()
        guard bytes.count <= OpenedFile.bytesMax else { throw OpenedFile.tooLarge("Standard input") }
        return bytes
    }

    /// Standard input, a piece at a time.
    static func inputPieces() -> InputPieces {
        noteReading()
        let next = CommandContext.current.inputPiece
        return { () throws(Failure) in next() }
    }

    private static func noteReading() {
        if isAnswered { note("Reading from standard input; Control-D ends it.") }
    }

    /// Writes a hint, a note or an error.
    static func note(_ text: String) { CommandContext.current.errors(bytes(text.printable(but: "\n\t"))) }

    /// Whether a person can answer questions.
    static var isAnswered: Bool { CommandContext.current.isAnswered }

    /// Asks on standard error; nil at the end of input.
    static func ask(_ question: String) -> String? {
        CommandContext.current.errors(Array(question.printable(but: "\n\t").utf8))
        return CommandContext.current.line()
    }

    /// Shows a line that the next one replaces, if standard error is a terminal. An empty text removes it.
    static func progress(_ text: String) {
        guard CommandContext.current.isWatched else { return }
        CommandContext.current.errors(Array("\r\u{1B}[K\(text.printable())".utf8))
    }

    private static func bytes(_ text: String) -> [UInt8] { Array((text.hasSuffix("\n") ? text : text + "\n").utf8) }
}
