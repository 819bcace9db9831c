import CloudKitWire
import NephosStorage

/// Reads the roles of people: the field `roles` of their user records.
struct MembershipReader {
    let tenant: TenantNumber

    /// Returns a row for each user who has a record.
    func fields(of users: [UserID]) throws(StorageError) -> Call {
        let stored = try tenant.stored(RolesField.database)
        return Call(Self.fields, stored, defaultZoneName, users.map { Name($0.recordName) })
    }

    /// Numbers of the roles of each user, ascending, each once; empty for a user without a record.
    func roles(_ rows: Rows, of users: [UserID]) throws(StorageError) -> [[Int64]] {
        var roles = [[Int64]](repeating: [], count: users.count)
        try rows.forEach { row throws(StorageError) in
            let place = Int(row.int(0)) - 1
            roles[place] = try RolesField.roles(in: row.bytes(1)[...], of: users[place])
        }
        return roles
    }

    private static let fields = Statement(
        """
        SELECT key.place, r.fields FROM unnest($3::bytea[]) WITH ORDINALITY AS key (name, place)
        CROSS JOIN LATERAL (
            SELECT fields FROM records
            WHERE db = $1 AND zone_no = (\(ZonePlace.liveNumber("$1", "$2"))) AND name = key.name LIMIT 1
        ) AS r
        """)
}
