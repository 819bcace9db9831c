/// The answer of a use case: the result, interspersed notes, and whether it failed nevertheless.
package struct UseCaseAnswer: Sendable {
    package enum Part: Sendable {
        case text(String)
        case bytes([UInt8])
        /// Columns under a head, one text for each.
        case table(head: [String], rows: [[String]])
        /// A table without rows, and the note that is shown in its place.
        case emptyTable(head: [String], note: String)
        /// The content of a file of the operator; an existing file is replaced.
        case file(OutputFile, [UInt8])
        /// Something in addition to the result: a hint, or how much was done.
        case note(String)
    }

    package let parts: [Part]
    /// Why it is a failure, although there is an answer.
    package let failure: Failure?

    private init(_ parts: [Part], failure: Failure? = nil) {
        self.parts = parts
        self.failure = failure
    }

    package static let nothing = UseCaseAnswer([])
    package static func text(_ text: String) -> UseCaseAnswer { UseCaseAnswer([.text(text)]) }
    package static func bytes(_ bytes: [UInt8]) -> UseCaseAnswer { UseCaseAnswer([.bytes(bytes)]) }
    package static func note(_ text: String) -> UseCaseAnswer { UseCaseAnswer([.note(text)]) }

    /// - Parameter file: nil if the operator named no file: then the bytes are the answer.
    package static func bytes(_ bytes: [UInt8], into file: OutputFile?) -> UseCaseAnswer {
        file.map { UseCaseAnswer([.file($0, bytes)]) } ?? .bytes(bytes)
    }

    package static func table(_ head: [String], _ rows: [[String]]) -> UseCaseAnswer {
        UseCaseAnswer([.table(head: head, rows: rows)])
    }

    /// - Parameter note: Shown in place of a table without rows.
    package static func table(_ head: [String], _ rows: [[String]], whenEmpty note: String) -> UseCaseAnswer {
        rows.isEmpty ? UseCaseAnswer([.emptyTable(head: head, note: note)]) : table(head, rows)
    }

    /// The same with something else in the place of each table.
    func replacingTables(_ replacement: (_ head: [String], _ rows: [[String]]) -> Part) -> UseCaseAnswer {
        let parts = parts.map { part in
            switch part {
            case .table(let head, let rows): replacement(head, rows)
            case .emptyTable(let head, _): replacement(head, [])
            case .text, .bytes, .file, .note: part
            }
        }
        return UseCaseAnswer(parts, failure: failure)
    }

    /// Whether any of it is a table.
    var hasTable: Bool {
        parts.contains { part in
            switch part {
            case .table, .emptyTable: true
            case .text, .bytes, .file, .note: false
            }
        }
    }

    /// Appends another answer.
    package func then(_ other: UseCaseAnswer) -> UseCaseAnswer {
        UseCaseAnswer(parts + other.parts, failure: other.failure ?? failure)
    }

    /// Appends a note, if it is not nil.
    package func noting(_ text: String?) -> UseCaseAnswer { text.map { then(.note($0)) } ?? self }

    /// Sets a failure, if it is not nil.
    package func failing(_ text: String?) -> UseCaseAnswer {
        UseCaseAnswer(parts, failure: text.map { Failure($0) } ?? failure)
    }
}
