package import CloudKitWire

/// The field `roles` of user records, which contains the roles of a person. User records are stored in the default zone
/// of database 1.
package enum RolesField {
    package static let database: DatabaseNumber = 1
    private static let name: Name = "roles"

    /// Returns the numbers of the roles, ascending and without duplicates; empty if the field is missing or is not a
    /// list of integers.
    ///
    /// - Parameter fields: The fields of the record of `user`.
    /// - Throws: ``StorageError/corrupt(_:)`` if the value of the field cannot be read.
    package static func roles(in fields: Bytes, of user: UserID) throws(StorageError) -> [Int64] {
        guard let value = CanonicalFields.value(of: name, in: fields) else { return [] }
        do {
            return try Set(numbers(value)).sorted()
        } catch {
            throw .corrupt("the roles of user \(user.recordName) cannot be read: \(error.message)")
        }
    }

    /// The numbers of `{"type":"INT64_LIST","value":[…]}`; empty for a value of another type.
    private static func numbers(_ value: Bytes) throws(WireError) -> [Int64] {
        var numbers: [Int64] = []
        var isNumbers = false
        var reader = try JSONReader(value)
        try reader.readObject { reader, key throws(WireError) in
            switch key {
            case "type": isNumbers = try FieldType(tag: reader.readName().text) == .int64List
            case "value" where isNumbers:
                try reader.readArray { reader, _ throws(WireError) in numbers.append(try reader.readInt64()) }
            default: _ = try reader.skipValue()
            }
        }
        return numbers
    }
}
