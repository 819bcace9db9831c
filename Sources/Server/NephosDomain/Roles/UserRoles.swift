import CloudKitWire
import NephosStorage

/// The field `roles` of user records: numbers of the user's roles. Saves of records cannot write it.
enum UserRoles {
    static let field: Name = "roles"

    /// Whether a save sets or clears it.
    static func areNamed(in patch: FieldsPatch) -> Bool {
        patch.fields.contains { $0.name == field } || patch.removed.contains(field)
    }

    /// Only the roles of the fields: what is kept when a user record is replaced.
    static func only(in fields: Bytes) -> Bytes {
        guard let value = CanonicalFields.value(of: field, in: fields) else { return CanonicalFields.empty }
        return Array("{\"\(field)\":".utf8)[...] + value + [UInt8(ascii: "}")]
    }

    /// The patch that replaces the roles of a user record.
    static func patch(_ roles: [Int64]) -> FieldsPatch {
        guard !roles.isEmpty else { return FieldsPatch(removed: [field]) }
        let list = roles.sorted().map(String.init).joined(separator: ",")
        return FieldsPatch(set: Bytes("{\"\(field)\":{\"type\":\"INT64_LIST\",\"value\":[\(list)]}}"))
    }
}

extension Catalog {
    /// The epoch of the type `Users`.
    var usersEpoch: Int64 { usersType?.epoch ?? 0 }

    var usersType: RecordTypeRow? { type(usersTypeNumber)?.row }
}
