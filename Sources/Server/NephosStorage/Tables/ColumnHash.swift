import CloudKitWire

/// What is hashed into the checksum of a row, in which order. Stored checksums depend on it, so it never changes.
struct TableHash: Sendable {
    /// The first input.
    enum Start: Sendable {
        case name(String)
        /// Tables that are older than derived checksums.
        case nothing
        case tag(Int64)
    }

    let start: Start
    /// Positions of columns.
    let columns: [Int]
    /// Groups of columns that were added later. A group is hashed after the others if any of its columns is not 0 or empty,
    /// so that rows that were stored earlier keep their checksum.
    let later: [[Int]]
    /// Whether all columns are hashed in stored order, as in most tables.
    let isInOrder: Bool

    /// - Parameter count: How many columns there are.
    init(start: Start, columns: [Int], later: [[Int]], count: Int) {
        (self.start, self.columns, self.later) = (start, columns, later)
        isInOrder = columns.elementsEqual(0..<count)
    }
}

/// Hashes the columns of a row.
struct ColumnHash: Columns {
    /// nil if all columns are hashed in stored order.
    private let order: TableHash?
    /// The start and each column in the encoding of ``Checksum``, one after the other.
    private var pieces = Checksum()
    /// The end of each piece, beginning with the start; empty if columns are hashed in stored order.
    private var ends: [Int] = []

    init(_ order: TableHash) {
        self.order = order.isInOrder ? nil : order
        switch order.start {
        case .name(let name): pieces.add(name.utf8)
        case .tag(let tag): pieces.add(tag)
        case .nothing: break
        }
        guard !order.isInOrder else { return }
        ends.reserveCapacity(17)
        ends.append(pieces.bytes.count)
    }

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
        if order != nil { ends.append(pieces.bytes.count) }
    }

    var value: Int64 {
        guard let order else { return pieces.value }
        var sum = Checksum(reserving: pieces.bytes.count)
        sum.add(piece: pieces.bytes[..<ends[0]])
        for column in order.columns { sum.add(piece: piece(column)) }
        for group in order.later where group.contains(where: { piece($0).contains { $0 != 0 } }) {
            for column in group { sum.add(piece: piece(column)) }
        }
        return sum.value
    }

    private func piece(_ column: Int) -> Bytes { pieces.bytes[ends[column]..<ends[column + 1]] }
}
