import CloudKitWire

/// A record type of a schema file, with everything needed to create records of it.
struct RecordShape {
    var name: String
    var fields: [FieldShape] = []
    /// The system fields that the file declares, by their names in the schema language.
    var systemFields: [FieldShape] = []
    /// Rights by role.
    var grants: [String: Set<String>] = [:]
}

/// A field of a record type.
struct FieldShape {
    var name: String
    var type: FieldType
    var isEncrypted: Bool
    var indexes: Set<Index>

    enum Index: String { case queryable = "QUERYABLE", sortable = "SORTABLE", searchable = "SEARCHABLE" }
}

extension RecordShape {
    var isUsers: Bool { name == "Users" }
    var isShare: Bool { name == "cloudkit.share" }

    /// The fields to fill in records of this type.
    var filledFields: [FieldShape] { fields.filter { !(isUsers && $0.name == "roles") } }

    /// The parts of this type that are not tested, in words.
    var leftOut: [String] {
        if isShare { return ["cloudkit.share"] }
        return isUsers ? ["Users.roles"] : []
    }
}

extension FieldType {
    var isAsset: Bool { self == .asset || self == .assetList }
}
