import CloudKitWire

/// A record type of a schema file, as far as records can be made from it.
struct RecordShape {
    var name: String
    var fields: [FieldShape] = []
    /// Those of the system's fields that the file declares, by their names in the schema language.
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

    /// Fields that records of this type are filled with.
    var filledFields: [FieldShape] { fields.filter { !(isUsers && $0.name == "roles") } }

    /// What of this type is left out, in words; none when nothing is.
    var leftOut: [String] {
        if isShare { return ["cloudkit.share"] }
        return isUsers ? ["Users.roles"] : []
    }
}

extension FieldType {
    var isAsset: Bool { self == .asset || self == .assetList }
}
