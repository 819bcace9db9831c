import CloudKitWire
import NephosStorage

extension StoredRow {
    /// Writes the row as members of an object, named by its columns: bytes as hexadecimal digits, times in milliseconds since 1970. Omits the
    /// number of its database, secrets, and the columns that its table withholds.
    func write(to json: inout JSONWriter) {
        var columns = RowAsJSON(json: json, withheld: Self.table.withheld)
        columns.json.beginObject()
        visit(&columns)
        columns.json.endObject()
        json = columns.json
    }
}

private struct RowAsJSON: Columns {
    var json: JSONWriter
    let withheld: [String]

    private mutating func key(_ column: String) -> Bool {
        guard !withheld.contains(column) else { return false }
        json.key(named: Name(column))
        return true
    }

    mutating func database(_ number: inout DatabaseNumber) {}
    mutating func int(_ column: String, _ value: inout Int64) { if key(column) { json.int64(value) } }
    mutating func user(_ column: String, _ value: inout UserID) { if key(column) { json.string(value.name) } }
    mutating func text(_ column: String, _ value: inout String) { if key(column) { json.string(value) } }
    mutating func utf8(_ column: String, _ value: inout Bytes) { if key(column) { json.string(value) } }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) {
        if key(column) { json.string(Hexadecimal.text(value)) }
    }
    mutating func sealed(_ column: String, _ value: inout Secret) {}
    mutating func sealedText(_ column: String, _ value: inout Secret) {}
    mutating func skips(_ isNothing: Bool) -> Bool { isNothing }
}
