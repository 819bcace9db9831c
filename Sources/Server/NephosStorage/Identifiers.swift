public import CloudKitWire

/// Bytes that may share their memory with others, such as a name or the fields of a record inside a page.
public typealias Bytes = ArraySlice<UInt8>

/// Number of a database inside its tenant; the first column of every hot table (`db`).
public typealias DatabaseNumber = Int64
/// Number of one incarnation of a zone inside its database. Never reused: a zone that is deleted and created
/// again under the same name gets a new one.
public typealias ZoneNumber = Int64
/// Number of a record inside its database, assigned from the head row.
public typealias RecordNumber = Int64
/// Position in the order of all changes of one database. Commit order is sequence order.
public typealias Sequence = Int64
/// Number of a share inside the database of its owner: the sequence of its creation.
public typealias ShareNumber = Int64
/// Number of a record type inside its tenant.
public typealias TypeNumber = Int32
/// Milliseconds since 1970-01-01 UTC.
public typealias Milliseconds = Int64

extension ArraySlice where Element == UInt8 {
    /// Creates the bytes of a text in UTF-8.
    public init(_ text: String) { self = Array(text.utf8)[...] }
    /// The bytes read as UTF-8. Names and fields are validated when they enter the server.
    public var text: String { String(decoding: self, as: UTF8.self) }
}

extension UserID {
    /// Reads 16 bytes, the high word first. - Throws: ``StorageError/corrupt(_:)`` for another number of bytes.
    @usableFromInline
    package init(stored raw: UnsafeRawBufferPointer) throws(StorageError) {
        guard raw.count == 16 else { throw .corrupt("a user id of \(raw.count) bytes, not 16") }
        self.init(
            high: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
