import CloudKitWire

/// What enters the checksum of a row, in which order. Stored checksums are frozen: it never changes.
struct TableHash: Sendable {
    /// What goes first.
    enum Start: Sendable {
        case name(String)
        /// Tables from before checksums were derived.
        case nothing
        case tag(Int64)
    }

    let start: Start
    /// Places of columns.
    let columns: [Int]
    /// Groups of columns that came later. One enters behind the others where any of its columns is not 0 or empty, so that
    /// rows which were stored before keep their checksum.
    let later: [[Int]]
}

/// Hashes the columns of a row.
struct ColumnHash: Columns {
    /// Each column as ``Checksum`` takes it in, one behind the other.
    private var pieces = Checksum()
    /// Where each ends.
    private var ends: [Int] = []

    init() { ends.reserveCapacity(16) }

    mutating func database(_ number: inout DatabaseNumber) { add { $0.add(number) } }
    mutating func int(_ column: String, _ value: inout Int64) { add { $0.add(value) } }
    mutating func user(_ column: String, _ value: inout UserID) { add { $0.add(value) } }
    mutating func text(_ column: String, _ value: inout String) { add { $0.add(value.utf8) } }
    mutating func utf8(_ column: String, _ value: inout Bytes) { add { $0.add(value) } }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { add { $0.add(value) } }

    mutating func skips(_ isNothing: Bool) -> Bool {
        if isNothing { add { $0.addNothing() } }
        return isNothing
    }

    private mutating func add(_ add: (inout Checksum) -> Void) {
        add(&pieces)
        ends.append(pieces.bytes.count)
    }

    func value(in order: TableHash) -> Int64 {
        var sum = Checksum(reserving: pieces.bytes.count + 64)
        switch order.start {
        case .name(let name): sum.add(name.utf8)
        case .tag(let tag): sum.add(tag)
        case .nothing: break
        }
        for column in order.columns { sum.add(piece: piece(column)) }
        for group in order.later where group.contains(where: { piece($0).contains { $0 != 0 } }) {
            for column in group { sum.add(piece: piece(column)) }
        }
        return sum.value
    }

    private func piece(_ column: Int) -> Bytes { pieces.bytes[(column == 0 ? 0 : ends[column - 1])..<ends[column]] }
}
