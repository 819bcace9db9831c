import CloudKitWire

extension Findings {
    /// Adds the findings about a row of a described table.
    ///
    /// - Parameters:
    ///   - head: The last sequence of the row's database; 0 if there is no such database.
    ///   - hasPerson: Whether the user whose row it is exists and, if the table requires it, the row is in the user's
    ///     home database. True for rows without a user.
    ///   - hasParent: Whether the row with which this row is removed exists. True for rows without a parent.
    package mutating func examine(
        _ row: some StoredRow, checksum: Int64, head: Sequence, hasPerson: Bool, hasParent: Bool
    ) {
        let table = type(of: row).table
        var name: String { row.label }
        expect(row.checksum == checksum, table.name, "\(name): its checksum is wrong")
        if let flaw = row.flaw { add(table.name, "\(name): \(flaw)") }
        if let sequence = row.givenSequence {
            expect(sequence <= head, table.name, "\(name): its sequence is beyond the head")
        }
        expect(hasPerson, table.name, "\(name): there is no such user")
        expect(hasParent, table.name, "\(name): there is no such row in \(table.parent?.table ?? "")")
    }
}

extension StoredRow {
    /// The name of the row in messages, which contains its key.
    fileprivate var label: String {
        var key = KeyLabel(count: Self.table.key.count)
        visit(&key)
        return "row \(key.parts.joined(separator: "/"))"
    }
}

/// Formats the columns of a key for messages.
private struct KeyLabel: Columns {
    let count: Int
    private(set) var parts: [String] = []

    init(count: Int) { self.count = count }

    private mutating func add(_ part: @autoclosure () -> String) { if parts.count < count { parts.append(part()) } }

    mutating func database(_ number: inout DatabaseNumber) { add("\(number)") }
    mutating func int(_ column: String, _ value: inout Int64) { add("\(value)") }
    mutating func user(_ column: String, _ value: inout UserID) { add(value.recordName) }
    mutating func text(_ column: String, _ value: inout String) { add(value) }
    mutating func utf8(_ column: String, _ value: inout Bytes) { add(value.text) }
    /// Adds an ID or a hash, of which messages contain only the first bytes.
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { add(Hexadecimal.text(value.prefix(4)) + "…") }
}
