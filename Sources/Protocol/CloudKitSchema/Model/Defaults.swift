public import CloudKitWire

extension Schema.Options {
    /// The indexes of a field that is created by a save in development (docs/schema.md L45).
    public static func justInTime(_ kind: FieldType, isEncrypted: Bool = false) -> Schema.Options {
        Schema.DataType(kind, isEncrypted: isEncrypted)?.allowedOptions ?? []
    }
}

extension Schema.RecordType {
    /// The grants of a type that is created by a save in development.
    public static let justInTimeGrants: [Name: Schema.Rights] = [
        Schema.BuiltInRole.creator: .write, Schema.BuiltInRole.icloud: .create, Schema.BuiltInRole.world: .read,
    ]

    /// The name of the type that every container has, with one record per user.
    public static let usersName: Name = "Users"

    /// The numbers of the roles that a user has.
    public static let userRoles = Schema.Field(name: "roles", type: Schema.DataType(checked: .int64List))

    /// The type `Users` of a new container.
    public static let users = Schema.RecordType(
        name: usersName, fields: [userRoles],
        grants: [Schema.BuiltInRole.creator: .write, Schema.BuiltInRole.world: .read])

    /// Whether the service manages the type, so that an import cannot remove it.
    public var isManaged: Bool { Identifiers.isManaged(name) }
}

extension Schema {
    /// The schema of a new container.
    public static let ofNewContainer = Schema(recordTypes: [.users])
}
