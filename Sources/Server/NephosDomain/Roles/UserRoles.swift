import CloudKitWire
import NephosStorage

/// The field `roles` of user records: numbers of the roles that somebody holds. Records cannot write it.
enum UserRoles {
    static let field: Name = "roles"

    /// Whether a save sets or clears it.
    static func areNamed(in patch: FieldsPatch) -> Bool {
        patch.fields.contains { $0.name == field } || patch.removed.contains(field)
    }

    /// Fields with nothing but the roles in them: what stays when a user record is replaced.
    static func only(in fields: Bytes) -> Bytes {
        guard let value = CanonicalFields.value(of: field, in: fields) else { return CanonicalFields.empty }
        return Array("{\"\(field)\":".utf8)[...] + value + [UInt8(ascii: "}")]
    }

    /// What gives a user record these roles in place of the ones it has.
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
