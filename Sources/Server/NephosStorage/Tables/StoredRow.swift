import CloudKitWire

/// A row of a table whose description is all that engines need to store, find, guard, count, check and remove it (docs/decisions/0020).
public protocol StoredRow: Sendable, Equatable {
    /// The table of the row.
    static var table: Table { get }
    /// An arbitrary row: a row is read by copying it and replacing the value of each column.
    static var sample: Self { get }

    /// Has each column visited, in the order in which they are stored.
    ///
    /// - Throws: What a visitor throws: ``StorageError`` for a stored value that no such row can have.
    mutating func columns(_ columns: inout some Columns) throws(StorageError)

    /// Guards the row against damage (``Checksum``): computed over its columns in the order that its table defines, except
    /// for older tables with an order of their own.
    var checksum: Int64 { get }

    /// A sequence number of its database that the row contains, which must not be after the last change; nil without one.
    var givenSequence: Sequence? { get }

    /// A flaw of the row that no checksum detects, for `check`; nil if there is none.
    var flaw: String? { get }

    /// Counts the row in the head of its database: `times` is 1 when it is added, -1 when it is removed. An older table has a
    /// counter of its own there; all others share one sum (``HeadRow/rowsDigest``).
    ///
    /// - Parameter checksum: The value of ``checksum``, which the caller usually has already.
    func count(in head: inout HeadRow, times: Int64, checksum: Int64)
}

extension StoredRow {
    /// Nil: the row carries no sequence.
    public var givenSequence: Sequence? { nil }

    /// Nil: only the checksum can reveal a flaw.
    public var flaw: String? { nil }

    /// Counts the row in the one sum of those without a counter.
    public func count(in head: inout HeadRow, times: Int64, checksum: Int64) {
        head.rowsDigest &+= times &* checksum
    }

    /// A checksum of the columns that the table specifies.
    public var checksum: Int64 {
        var hash = ColumnHash(Self.table.hashing)
        visit(&hash)
        return hash.value
    }

    /// The bytes of its names, texts and other values of variable length.
    package var byteCount: Int {
        var count = ColumnBytes()
        visit(&count)
        return count.count
    }

    /// The number of its database; nil for a row of a tenant.
    package var database: DatabaseNumber? {
        guard Self.table.owner == .database else { return nil }
        var found = FoundDatabase()
        visit(&found)
        return found.number
    }

    /// Passes the columns to a visitor that changes nothing.
    package func visit(_ columns: inout some Columns) {
        var row = self
        do throws(StorageError) { try row.columns(&columns) } catch {
            // Only stored values can be invalid for their kind.
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

/// Adds up the bytes of values of variable length.
private struct ColumnBytes: Columns {
    var count = 0

    func database(_ number: inout DatabaseNumber) {}
    func int(_ column: String, _ value: inout Int64) {}
    func user(_ column: String, _ value: inout UserID) {}
    mutating func text(_ column: String, _ value: inout String) { count += value.utf8.count }
    mutating func utf8(_ column: String, _ value: inout Bytes) { count += value.count }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { count += value.count }
}
