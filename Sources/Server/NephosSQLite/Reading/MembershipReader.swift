import CloudKitWire
import NephosStorage

/// Which roles people hold: the field `roles` of their user records, in the default zone of database 1.
final class MembershipReader {
    private static let database: DatabaseNumber = 1
    private static let field: Name = "roles"

    private let fieldsOfUser: Query

    init(_ connection: Connection) {
        fieldsOfUser = Query(connection, Self.sql)
    }

    static let sql = """
        SELECT fields FROM records INDEXED BY records_by_name
        WHERE db = ?1 AND name = ?3 AND zone_no = (
            SELECT zone_no FROM zones WHERE db = ?1 AND name = ?2 AND state = 0)
        """

    /// Numbers of the roles, ascending, each once; empty for a user without a record.
    func roles(of user: UserID) throws(StorageError) -> [Int64] {
        var cursor = try fieldsOfUser.start()
        cursor.bind(Self.database)
        cursor.bind(defaultZoneName)
        cursor.bind(user.recordName)
        guard try cursor.next() else { return [] }
        guard let value = CanonicalFields.value(of: Self.field, in: cursor.bytes(0)[...]) else { return [] }
        do {
            return try Set(Self.numbers(value)).sorted()
        } catch {
            throw .corrupt("the roles of user \(user.recordName) cannot be read: \(error.message)")
        }
    }

    /// The numbers of `{"type":"INT64_LIST","value":[…]}`; none from a value of another type.
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
