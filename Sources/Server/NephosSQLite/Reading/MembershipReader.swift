import CloudKitWire
import NephosStorage

/// Which roles people hold: the field `roles` of their user records.
final class MembershipReader {
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
        cursor.bind(RolesField.database)
        cursor.bind(defaultZoneName)
        cursor.bind(user.recordName)
        guard try cursor.next() else { return [] }
        return try RolesField.roles(in: cursor.bytes(0)[...], of: user)
    }
}
