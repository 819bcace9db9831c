package import CloudKitWire

/// How tables are shown: by the same option, with the same default, for every use case that answers some.
package enum Output: String, InputWord, CaseIterable {
    case table, json

    /// - Parameters:
    ///   - note: Shown in place of a table without rows.
    ///   - write: Writes the elements of an array.
    package func answer(
        _ head: [String], _ rows: [[String]], whenEmpty note: String = "", _ write: (inout JSONWriter) -> Void
    ) -> UseCaseAnswer {
        guard self == .json else { return .table(head, rows, whenEmpty: note) }
        var json = JSONWriter()
        json.beginArray()
        write(&json)
        json.endArray()
        return .bytes(json.bytes + [UInt8(ascii: "\n")])
    }
}

extension Output {
    /// An answer with its tables as they are wanted.
    func showing(_ answer: UseCaseAnswer) -> UseCaseAnswer {
        self == .table ? answer : answer.replacingTables { head, rows in .bytes(Self.json(head, rows)) }
    }

    /// A table as an array, with an object for each row.
    private static func json(_ head: [String], _ rows: [[String]]) -> [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        for row in rows { write(head, row, to: &json) }
        json.endArray()
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// A row as an object. Its keys are the heads of its columns (`last used` is `lastUsed`), its values texts; `-` is null.
    package static func write(_ head: [String], _ row: [String], to json: inout JSONWriter) {
        json.beginObject()
        for (name, cell) in zip(head, row) {
            json.key(named: Name(key(name)))
            if cell == "-" { json.null() } else { json.string(cell) }
        }
        json.endObject()
    }

    private static func key(_ head: String) -> String {
        let words = head.lowercased().split(separator: " ")
        return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension Input where Value == Output {
    package static var output: Input { option("output", default: .table, help: "table or json.") }
}
