package import CloudKitWire

/// How a list is shown.
package enum Output: String, InputWord, CaseIterable {
    case json, table

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

extension Input where Value == Output {
    package static var output: Input { option("output", default: .table, help: "json or table.") }
}
