import Foundation

/// The three standard streams, each with its one purpose.
enum Terminal {
    /// Writes what the command was asked for.
    static func answer(_ text: String) { write(text, to: .standardOutput) }

    /// Writes what the command was asked for, where it is bytes already.
    static func answer(_ bytes: [UInt8]) { FileHandle.standardOutput.write(Data(bytes)) }

    /// All of standard input.
    static func input() -> [UInt8] {
        if isAnswered { note("Reading from standard input; Control-D ends it.") }
        return Array(FileHandle.standardInput.readDataToEndOfFile())
    }

    /// Writes a hint, a note or an error.
    static func note(_ text: String) { write(text, to: .standardError) }

    /// Whether a person reads what `note` writes.
    static var isWatched: Bool { isatty(2) == 1 }

    /// Whether a person can answer questions.
    static var isAnswered: Bool { isatty(0) == 1 && isWatched }

    /// Asks on standard error; nil at the end of input.
    static func ask(_ question: String) -> String? {
        FileHandle.standardError.write(Data(question.utf8))
        return readLine()
    }

    /// Shows one line that the next one replaces, where somebody watches. An empty text takes it away.
    static func progress(_ text: String) {
        guard isWatched else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }

    private static func write(_ text: String, to stream: FileHandle) {
        stream.write(Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
    }
}
