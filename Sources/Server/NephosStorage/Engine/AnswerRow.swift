public import CloudKitWire

/// A row of the result of a statement. Columns are numbered from 0.
@usableFromInline package protocol AnswerRow: ~Copyable {
    func isNull(_ column: Int32) -> Bool
    /// The integer in a column; 0 for null.
    func int(_ column: Int32) -> Int64
    /// The bytes of a value; empty for null. They are valid as long as the row is.
    func raw(_ column: Int32) -> UnsafeRawBufferPointer
    /// The database number in the column `db`, whose upper bits an engine may use for other purposes.
    func database(_ column: Int32) -> DatabaseNumber
    /// Reads a row of a described table, whose columns must come first.
    func row<Row: StoredRow>(_ type: Row.Type) throws(StorageError) -> Row
}

extension AnswerRow where Self: ~Copyable {
    @inlinable
    package func optionalInt(_ column: Int32) -> Int64? { isNull(column) ? nil : int(column) }

    @inlinable
    package func bytes(_ column: Int32) -> [UInt8] { [UInt8](raw(column)) }

    @inlinable
    package func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    @inlinable
    package func name(_ column: Int32) -> Name { Name(bytes: bytes(column)[...]) }

    @inlinable
    package func optionalName(_ column: Int32) -> Name? { isNull(column) ? nil : name(column) }

    @inlinable
    package func string(_ column: Int32) -> String { String(decoding: raw(column), as: UTF8.self) }

    /// - Throws: ``StorageError/corrupt(_:)`` unless the value consists of 16 bytes.
    @inlinable
    package func user(_ column: Int32) throws(StorageError) -> UserID { try UserID(stored: raw(column)) }

    @inlinable
    package func optionalUser(_ column: Int32) throws(StorageError) -> UserID? {
        isNull(column) ? nil : try user(column)
    }

    /// A number that stands for a case of `Kind`. - Throws: ``StorageError/corrupt(_:)`` for any other number.
    @inlinable
    package func kind<Kind: RawRepresentable<Int64>>(
        _ column: Int32, of type: Kind.Type
    ) throws(StorageError) -> Kind {
        let number = int(column)
        guard let kind = Kind(rawValue: number) else { throw .corrupt("\(number) is not a valid \(type)") }
        return kind
    }

    /// An integer that is 0 or 1. - Throws: ``StorageError/corrupt(_:)`` for any other integer.
    @inlinable
    package func flag(_ column: Int32) throws(StorageError) -> Bool {
        let number = int(column)
        guard number == 0 || number == 1 else { throw .corrupt("\(number) is neither 0 nor 1") }
        return number == 1
    }

    /// - Throws: ``StorageError/corrupt(_:)`` for a number that is not a valid type number.
    @inlinable
    package func type(_ column: Int32) throws(StorageError) -> TypeNumber {
        let number = int(column)
        guard let type = TypeNumber(exactly: number) else { throw .corrupt("\(number) is not a type number") }
        return type
    }
}
