import CloudKitWire

extension Findings {
    /// What is to be said of a row of a described table.
    ///
    /// - Parameters:
    ///   - head: The last sequence of its database; 0 where there is none.
    ///   - hasPerson: There is the user whose it is, at home where the row stands if it must; or it is nobody's.
    ///   - hasParent: There is the row with which it goes, or it goes with none.
    package mutating func judge(
        _ row: some StoredRow, checksum: Int64, head: Sequence, hasPerson: Bool, hasParent: Bool
    ) {
        let (table, name) = (type(of: row).table, row.label)
        expect(row.checksum == checksum, table.name, "\(name): its checksum is wrong")
        if let sequence = row.givenSequence {
            expect(sequence <= head, table.name, "\(name): its sequence lies beyond the head")
        }
        expect(hasPerson, table.name, "\(name): there is no such user")
        expect(hasParent, table.name, "\(name): there is no such row in \(table.parent?.table ?? "")")
    }
}

extension StoredRow {
    /// Names the row for people, by its key.
    fileprivate var label: String {
        var key = KeyLabel()
        visit(&key)
        return "row \(key.parts.prefix(Self.table.key.count).joined(separator: "/"))"
    }
}

/// Writes columns for people to read.
private struct KeyLabel: Columns {
    var parts: [String] = []

    mutating func database(_ number: inout DatabaseNumber) { parts.append("\(number)") }
    mutating func int(_ column: String, _ value: inout Int64) { parts.append("\(value)") }
    mutating func user(_ column: String, _ value: inout UserID) { parts.append(value.recordName) }
    mutating func text(_ column: String, _ value: inout String) { parts.append(value) }
    mutating func utf8(_ column: String, _ value: inout Bytes) { parts.append(value.text) }
    /// An id or a hash, of which people see only the first.
    mutating func bytes(_ column: String, _ value: inout [UInt8]) {
        parts.append(value.prefix(4).map { String($0, radix: 16) }.joined(separator: ".") + "…")
    }
}
