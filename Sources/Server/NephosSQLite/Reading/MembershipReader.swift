import CloudKitWire
import NephosStorage

/// Reads the roles of people: the field `roles` of their user records.
struct MembershipReader {
    let connection: Connection

    /// Numbers of the roles, ascending, each once; empty for a user without a record.
    func roles(of user: UserID) throws(StorageError) -> [Int64] {
        let (database, zone) = (RolesField.database, defaultZoneName)
        return try connection.first(Self.fields, database, zone, user.recordName) { row throws(StorageError) in
            try RolesField.roles(in: row.bytes(0)[...], of: user)
        } ?? []
    }

    static let fields = Statement(
        """
        SELECT fields FROM records INDEXED BY records_by_name
        WHERE db = ?1 AND name = ?3 AND zone_no = (
            SELECT zone_no FROM zones WHERE db = ?1 AND name = ?2 AND state = 0)
        """)
}
