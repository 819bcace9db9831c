import CloudKitSchema
package import CloudKitWire
import NephosStorage

/// A field that a filter or a sort names, as defined in the schema.
struct QueriedField {
    /// As spelled by the client.
    let spelling: Name
    let field: RecordField
    /// REFERENCE for record names and users.
    let type: FieldType
    let isSystem: Bool
    let isEncrypted: Bool
    private let options: FieldRow.Options
    /// The name in the schema; nil for a field that is not in any schema.
    private let schemaName: Name?
    private let recordType: Name

    /// A field that a query names, in a record type.
    ///
    /// - Throws: ``Refusal/badRequest(_:)`` for a field that the type does not have or that queries may not use.
    init(_ name: QueryField, in type: RecordType) throws(Refusal) {
        if !name.isSystemName, let row = type.fields[name.name], !row.isOfSystem {
            self.init(row, in: type)
        } else if let system = name.system {
            try self.init(system, spelled: name.name, in: type)
        } else {
            throw .badRequest(
                "Unknown field '\(name.name.excerpt)': record type \(type.row.name.excerpt) has no such field; "
                    + Self.fieldHint(name.name))
        }
    }

    /// What to do about an unknown field: the system field that was probably meant, for names that other services give to it.
    private static func fieldHint(_ name: Name) -> String {
        switch name.excerpt.lowercased().replacing("_", with: "") {
        case "created", "createdat", "createdon": "the time of creation is createdTimestamp"
        case "modified", "modifiedat", "updated", "updatedat": "the time of the last change is modifiedTimestamp"
        default: "check the spelling, or add it to the schema; production needs a deploy as well"
        }
    }

    /// A field that the type defines.
    init(_ row: FieldRow, in type: RecordType) {
        spelling = row.name
        field = .field(row.name, row.kind, epoch: row.epoch)
        self.type = row.kind
        isSystem = false
        isEncrypted = row.isEncrypted
        options = row.options
        schemaName = row.name
        recordType = type.row.name
    }

    private init(_ system: SystemField, spelled spelling: Name, in type: RecordType) throws(Refusal) {
        let schemaName: Name?
        switch system {
        case .recordName: (field, self.type, schemaName) = (.recordName, .reference, "___recordID")
        case .createdTimestamp: (field, self.type, schemaName) = (.createdAt, .timestamp, "___createTime")
        case .modifiedTimestamp: (field, self.type, schemaName) = (.modifiedAt, .timestamp, "___modTime")
        case .createdUserRecordName: (field, self.type, schemaName) = (.createdBy, .reference, "___createdBy")
        case .modifiedUserRecordName: (field, self.type, schemaName) = (.modifiedBy, .reference, "___modifiedBy")
        case .parent: (field, self.type, schemaName) = (.parent, .reference, nil)
        case .share:
            throw .badRequest(
                "Field '\(spelling.excerpt)' cannot be queried: a shared record names its share, and resolve of the share's address the record"
            )
        case .recordChangeTag:
            throw .badRequest(
                "Field '\(spelling.excerpt)' cannot be queried: to find out what changed, sort by modifiedTimestamp")
        }
        self.spelling = spelling
        self.schemaName = schemaName
        isSystem = true
        isEncrypted = false
        options = schemaName.flatMap { type.fields[$0]?.options } ?? []
        recordType = type.row.name
    }

    /// Checks that the schema permits a query without filters, which lists all records.
    ///
    /// - Throws: ``Refusal/badRequest(_:)``, which explains what to do. New users of a type that a save has just created see this
    ///   error first.
    static func requireListing(of type: RecordType) throws(Refusal) {
        try QueriedField(.recordName, spelled: "recordName", in: type).require(
            .queryable, need: "a query without filters needs it; ",
            advice:
                ". A container that is created by nephos container create --listable makes new types in development "
                + "queryable")
    }

    /// Whether values are the ids of users.
    var isUser: Bool { field == .createdBy || field == .modifiedBy }

    /// The type as it appears in reasons.
    var tag: String { isEncrypted ? "ENCRYPTED_\(type.tag)" : type.tag }

    // MARK: Permission

    /// Checks that the schema permits a use.
    ///
    /// - Parameters:
    ///   - option: The option that the use requires.
    ///   - other: Options that permit it as well.
    ///   - need: Why the option is needed where the query does not name the field, for the beginning of the hint.
    ///   - advice: Additional advice, for the end of the hint.
    /// - Throws: ``Refusal/badRequest(_:)``, which states what to write in the schema.
    func require(
        _ option: FieldRow.Options, or other: FieldRow.Options = [], need: String = "", advice: String = ""
    ) throws(Refusal) {
        // References to parents are always indexed, and no schema can name the field.
        guard schemaName != nil else { return }
        guard options.isDisjoint(with: option.union(other)) else { return }
        throw .badRequest("Field '\(spelling.excerpt)' is not marked \(Self.word(option))" + hint(option, need, advice))
    }

    private func hint(_ option: FieldRow.Options, _ need: String, _ advice: String) -> String {
        guard let line = schemaLine(adding: option) else { return "" }
        let place = "in record type \(recordType.excerpt) of the schema"
        return " (\(need)\(place) write '\(line)', then import the schema; or run \(command(adding: option))\(advice))"
    }

    /// The command that adds one option. Words for the operator are in capitals.
    private func command(adding option: FieldRow.Options) -> String {
        let name = schemaName.map { Schema.SystemField(name: $0)?.apiName ?? $0.excerpt } ?? spelling.excerpt
        return "nephos schema allow CONTAINER \(recordType.excerpt) \(name) \(Self.word(option))"
    }

    /// The field's line in the schema with one more option.
    private func schemaLine(adding option: FieldRow.Options) -> String? {
        guard let schemaName else { return nil }
        let stored = options.union(option).rawValue
        guard let field = Schema.Field(name: schemaName, kind: type, isEncrypted: isEncrypted, storedOptions: stored)
        else { return nil }
        let name = Name(schemaName.excerpt).schemaSpelling
        return ([name, field.type.words] + field.options.words).joined(separator: " ")
    }

    private static func word(_ option: FieldRow.Options) -> String {
        switch option {
        case .sortable: "sortable"
        case .searchable: "searchable"
        default: "queryable"
        }
    }
}

extension Name {
    /// Enough of the name to recognize it in a message: at most 40 characters, with control characters as `?`.
    package var excerpt: String {
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: bytes.prefix(160), as: UTF8.self).unicodeScalars.prefix(40) {
            scalars.append(scalar.properties.generalCategory == .control ? "?" : scalar)
        }
        return String(scalars)
    }
}
