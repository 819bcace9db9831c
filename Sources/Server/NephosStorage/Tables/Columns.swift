public import CloudKitWire

/// A visitor of the columns of a row, in the order in which they are stored: to read them, to bind them to a statement, to
/// hash them, or to describe them (docs/decisions/0020).
///
/// There are few kinds of columns. An engine maps each to one of its own types; all other values are expressed by them.
public protocol Columns {
    /// The number of the database that a row is of (column `db`), within its tenant.
    ///
    /// - Throws: ``StorageError``, as every visit: what the visitor throws, as `corrupt` for a stored value that cannot
    ///   be.
    mutating func database(_ number: inout DatabaseNumber) throws(StorageError)
    /// A whole number of 64 bits.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    mutating func int(_ column: String, _ value: inout Int64) throws(StorageError)
    /// The ID of a user, 16 bytes.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    mutating func user(_ column: String, _ value: inout UserID) throws(StorageError)
    /// Text that was created by the server or is known to be UTF-8 without NUL.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    mutating func text(_ column: String, _ value: inout String) throws(StorageError)
    /// Text from outside, compared and stored byte by byte.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    mutating func utf8(_ column: String, _ value: inout Bytes) throws(StorageError)
    /// Bytes of any number.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    mutating func bytes(_ column: String, _ value: inout [UInt8]) throws(StorageError)
    /// Bytes that must not be readable in a copy of the store.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    mutating func sealed(_ column: String, _ value: inout Secret) throws(StorageError)
    /// The same in a column of text, from before it was sealed.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    mutating func sealedText(_ column: String, _ value: inout Secret) throws(StorageError)
    /// Whether the next column is empty in this row and is skipped. Otherwise it is visited with its value.
    ///
    /// - Parameter isNothing: Whether the row has no value there. A reader ignores it and looks into the store instead.
    mutating func skips(_ isNothing: Bool) -> Bool
}

extension Columns {
    /// Visits the bytes as they are stored.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    public mutating func sealed(_ column: String, _ value: inout Secret) throws(StorageError) {
        var stored = value.stored
        try bytes(column, &stored)
        if stored != value.stored { value = Secret(stored: stored) }
    }

    /// Visits the text as it is stored.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    public mutating func sealedText(_ column: String, _ value: inout Secret) throws(StorageError) {
        var stored = value.storedText
        try text(column, &stored)
        if stored != value.storedText { value = Secret(storedText: stored) }
    }

    /// A column that is sealed in other rows of the table.
    mutating func clear(_ column: String, _ value: inout Secret) throws(StorageError) {
        var bytes = value.bytes ?? []
        try self.bytes(column, &bytes)
        if bytes != value.bytes { value = Secret(bytes) }
    }

    /// Passes over a column that has nothing in this row.
    public mutating func skips(_ isNothing: Bool) -> Bool { isNothing }

    mutating func optionalInt(_ column: String, _ value: inout Int64?) throws(StorageError) {
        try optional(&value, 0) { columns, value throws(StorageError) in try columns.int(column, &value) }
    }

    mutating func optionalUser(_ column: String, _ value: inout UserID?) throws(StorageError) {
        try optional(&value, UserID(high: 0, low: 0)) { columns, value throws(StorageError) in
            try columns.user(column, &value)
        }
    }

    mutating func optionalName(_ column: String, _ value: inout Name?) throws(StorageError) {
        try optional(&value, "") { columns, value throws(StorageError) in try columns.name(column, &value) }
    }

    /// - Parameter blank: The initial value that a stored value is read into.
    private mutating func optional<Value>(
        _ value: inout Value?, _ blank: Value, _ visit: (inout Self, inout Value) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard !skips(value == nil) else { return value = nil }
        var present = value ?? blank
        try visit(&self, &present)
        value = present
    }

    /// The name of a record, a zone, a type or a field.
    ///
    /// - Throws: ``StorageError``, as ``database(_:)``.
    @inlinable
    public mutating func name(_ column: String, _ value: inout Name) throws(StorageError) {
        var bytes = value.bytes
        try utf8(column, &bytes)
        value = Name(bytes: bytes)
    }

    /// A column that is true or false, stored as 1 or 0.
    ///
    /// - Throws: ``StorageError/corrupt(_:)`` for a stored number that is neither.
    @inlinable
    public mutating func flag(_ column: String, _ value: inout Bool) throws(StorageError) {
        var number: Int64 = value ? 1 : 0
        try int(column, &number)
        guard number == 0 || number == 1 else { throw .corrupt("\(column) is \(number), neither 0 nor 1") }
        value = number == 1
    }

    /// The number of a record type.
    ///
    /// - Throws: ``StorageError/corrupt(_:)`` for a stored number that no type can have.
    @inlinable
    public mutating func type(_ column: String, _ value: inout TypeNumber) throws(StorageError) {
        var number = Int64(value)
        try int(column, &number)
        guard let type = TypeNumber(exactly: number) else {
            throw .corrupt("\(column): \(number) is not a type number")
        }
        value = type
    }

    /// A number that stands for a case, or for a set of options.
    ///
    /// - Throws: ``StorageError/corrupt(_:)`` for a stored number that is not a valid case or option.
    @inlinable
    public mutating func kind<Kind: RawRepresentable<Int64>>(
        _ column: String, _ value: inout Kind
    ) throws(StorageError) {
        var number = value.rawValue
        try int(column, &number)
        guard let kind = Kind(rawValue: number) else {
            throw .corrupt("\(column): \(number) is not a valid \(Kind.self)")
        }
        value = kind
    }
}

/// The kind of a column.
public enum ColumnKind: Sendable, Hashable {
    /// The number of the database, in the column `db`.
    case database
    /// A whole number of 64 bits.
    case int
    /// The ID of a user, 16 bytes.
    case user
    /// Text of the server's own.
    case text
    /// Text from outside, compared byte by byte.
    case utf8
    /// Bytes of any number.
    case bytes
}

/// A column of a table.
public struct Column: Sendable, Hashable {
    /// The name of the column in its table.
    public let name: String
    /// What it holds.
    public let kind: ColumnKind
    /// Whether it holds a ``Secret``.
    public var isSealed = false
    /// Whether it is empty in some rows.
    public var isOptional = false
}

/// A value to look for in a column.
public enum ColumnValue: Sendable, Hashable {
    /// A whole number.
    case int(Int64)
    /// The ID of a user.
    case user(UserID)
    /// Text of the server's own.
    case text(String)
    /// Text from outside.
    case utf8(Bytes)
    /// Bytes of any number.
    case bytes([UInt8])
    /// A value of the column `db`.
    case database(DatabaseNumber)

    /// The name of a record, a zone, a type or a field.
    public static func name(_ name: Name) -> ColumnValue { .utf8(name.bytes) }

    /// A number that stands for a case.
    public static func kind(_ kind: some RawRepresentable<Int64>) -> ColumnValue { .int(kind.rawValue) }
}

extension ColumnValue: Comparable {
    /// In the order of a column. Values of different kinds never occur in one column.
    public static func < (left: ColumnValue, right: ColumnValue) -> Bool {
        switch (left, right) {
        case (.int(let left), .int(let right)), (.database(let left), .database(let right)): left < right
        case (.user(let left), .user(let right)): (left.high, left.low) < (right.high, right.low)
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.utf8(let left), .utf8(let right)): left.lexicographicallyPrecedes(right)
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }
}
