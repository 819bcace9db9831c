import CloudKitWire

/// A row of a table that its description alone makes every engine store, find, guard, count, check and remove
/// (docs/decisions/0020).
public protocol StoredRow: Sendable, Equatable {
    /// The table it stands in.
    static var table: Table { get }
    /// Any row: what is read is put into a copy of it, column by column.
    static var sample: Self { get }

    /// Has each column visited, in the order in which they are stored.
    ///
    /// - Throws: What a visitor throws: ``StorageError`` for a stored value that no such row can have.
    mutating func columns(_ columns: inout some Columns) throws(StorageError)

    /// What guards the row against damage (``Checksum``): of its columns in the order that its table says, but for tables that
    /// were there before and say otherwise.
    var checksum: Int64 { get }

    /// A sequence of its database that it was given, which must lie behind no change; nil without one.
    var givenSequence: Sequence? { get }

    /// What is wrong with it that no checksum says; nil for nothing. For `check`.
    var flaw: String? { get }

    /// Counts the row in the head of its database: `times` is 1 when it comes, -1 when it goes. A table from before has a counter
    /// of its own there; all others are in one sum (``HeadRow/rowsDigest``).
    ///
    /// - Parameter checksum: ``checksum``, which who counts it mostly has at hand.
    func count(in head: inout HeadRow, times: Int64, checksum: Int64)
}

extension StoredRow {
    /// Nil: the row carries no sequence.
    public var givenSequence: Sequence? { nil }

    /// Nil: nothing is wrong but what the checksum says.
    public var flaw: String? { nil }

    /// Counts the row in the one sum of those without a counter.
    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) {
        head.rowsDigest &+= times &* checksum
    }

    /// A checksum of the columns, as the table says.
    public var checksum: Int64 {
        var hash = ColumnHash(Self.table.hashing)
        visit(&hash)
        return hash.value
    }

    /// Bytes of its names, texts and other values that have no fixed length.
    package var byteCount: Int {
        var count = ColumnBytes()
        visit(&count)
        return count.count
    }

    /// The number of the database it is of; nil for one of a tenant.
    package var database: DatabaseNumber? {
        guard Self.table.owner == .database else { return nil }
        var found = FoundDatabase()
        visit(&found)
        return found.number
    }

    /// Shows the columns to somebody who changes nothing.
    package func visit(_ columns: inout some Columns) {
        var row = self
        do throws(StorageError) { try row.columns(&columns) } catch {
            // Only stored values can be none of their kind.
            assertionFailure("\(error)")
        }
    }
}

/// Finds the number of the database of a row.
private struct FoundDatabase: Columns {
    var number: DatabaseNumber = 0

    mutating func database(_ number: inout DatabaseNumber) { self.number = number }
    func int(_ column: String, _ value: inout Int64) {}
    func user(_ column: String, _ value: inout UserID) {}
    func text(_ column: String, _ value: inout String) {}
    func utf8(_ column: String, _ value: inout Bytes) {}
    func bytes(_ column: String, _ value: inout [UInt8]) {}
}

/// Adds up the bytes of what has no fixed length.
private struct ColumnBytes: Columns {
    var count = 0

    func database(_ number: inout DatabaseNumber) {}
    func int(_ column: String, _ value: inout Int64) {}
    func user(_ column: String, _ value: inout UserID) {}
    mutating func text(_ column: String, _ value: inout String) { count += value.utf8.count }
    mutating func utf8(_ column: String, _ value: inout Bytes) { count += value.count }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { count += value.count }
}
