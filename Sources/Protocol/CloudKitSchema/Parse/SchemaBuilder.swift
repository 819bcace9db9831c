import CloudKitWire

/// Builds a schema from what the parser reads, and rejects what the grammar allows but is not meaningful.
struct SchemaBuilder {
    var document = SchemaDocument()
    private let limits: SchemaLimits
    private var fieldCount = 0
    private var roles: Set<Name> = []
    private var types: [Name: Schema.RecordType] = [:]
    /// Roles that are used in a grant before they are declared, with the first place of each, in order.
    private var awaitedRoles: [(name: Name, place: SchemaPlace)] = []
    private var awaited: Set<Name> = []
    /// The record type being read.
    private var type: (name: Name, fields: [Schema.Field], system: [Schema.SystemField: Schema.Options]) = ("", [], [:])
    private var grants: [Name: Schema.Rights] = [:]

    init(limits: SchemaLimits) { self.limits = limits }

    mutating func finish() throws(SchemaError) -> SchemaDocument {
        for role in awaitedRoles where !roles.contains(role.name) {
            throw SchemaError(
                "Role \(role.name.shown) is not declared", at: role.place,
                hint: SchemaBuilder.hint(undeclared: role.name))
        }
        document.schema = Schema(roles: roles, recordTypes: types.values)
        return document
    }

    // MARK: Roles

    mutating func addRole(_ name: Name, at place: SchemaPlace) throws(SchemaError) {
        try SchemaBuilder.checkLength(name, "role", place)
        if name.bytes.first == UInt8(ascii: "_") {
            throw SchemaError(
                "Role \(name.shown) cannot be declared", at: place,
                hint: Schema.BuiltInRole.all.contains(name)
                    ? "It always exists: remove this statement."
                    : "Names that begin with '_' are reserved for the system.")
        }
        if name.hasControlCharacters {
            throw SchemaError("The name of a role contains a control character", at: place)
        }
        guard roles.insert(name).inserted else {
            throw SchemaError("Role \(name.shown) is declared twice", at: place)
        }
        if roles.count > limits.roles { throw SchemaBuilder.tooMany(limits.roles, "roles", place) }
    }

    // MARK: Record types

    mutating func beginType(_ name: Name, at place: SchemaPlace) throws(SchemaError) {
        try SchemaBuilder.checkName(name, "record type", place)
        if let first = document.places[name] {
            throw SchemaError(
                "Record type \(name.shown) is declared twice", at: place,
                hint: "The first one is at \(first).")
        }
        if document.places.count == limits.recordTypes {
            throw SchemaBuilder.tooMany(limits.recordTypes, "record types", place)
        }
        document.places[name] = place
        document.fieldPlaces[name] = [:]
        type = (name, [], [:])
        grants = [:]
    }

    mutating func endType() {
        types[type.name] = Schema.RecordType(
            name: type.name, fields: type.fields, systemOptions: type.system, grants: grants)
    }

    // MARK: Fields

    /// Checks the name of a field before its type is read.
    func check(field name: Name, at place: SchemaPlace) throws(SchemaError) {
        if Schema.SystemField(name: name) == nil {
            if name.bytes.first == UInt8(ascii: "_") {
                throw SchemaError(
                    "Field \(name.shown) cannot be declared", at: place,
                    hint: SchemaBuilder.hint(underscored: name))
            }
            try SchemaBuilder.checkName(name, "field", place)
            if fieldCount == limits.fields { throw SchemaBuilder.tooMany(limits.fields, "fields", place) }
        }
        if document.fieldPlaces[type.name]?[name] != nil {
            throw SchemaError(
                "Field \(name.shown) is declared twice in record type \(type.name.shown)", at: place)
        }
    }

    func check(_ dataType: Schema.DataType, of name: Name, at place: SchemaPlace) throws(SchemaError) {
        if let system = Schema.SystemField(name: name), dataType != system.type {
            throw SchemaError(
                "System field \(name.shown) is of type \(system.type.words), not \(dataType.words)", at: place,
                hint: "The type of a system field cannot change. A schema lists it only to set its options.")
        }
        let roles = Schema.RecordType.userRoles
        if type.name == Schema.RecordType.usersName, name == roles.name, dataType != roles.type {
            throw SchemaError(
                "Field roles of record type Users is of type \(roles.type.words), not \(dataType.words)", at: place,
                hint: "It holds the roles of a user, and its type cannot change.")
        }
    }

    func check(
        _ option: Schema.Options, of name: Name, _ dataType: Schema.DataType, after others: Schema.Options,
        at place: SchemaPlace
    ) throws(SchemaError) {
        let word = option.words.joined()
        if others.contains(option) {
            throw SchemaError("\(word) appears twice after field \(name.shown)", at: place)
        }
        let allowed = Schema.SystemField(name: name)?.allowedOptions ?? dataType.allowedOptions
        guard allowed.contains(option) else {
            throw SchemaError(
                "Field \(name.shown) cannot be \(word)", at: place,
                hint: allowed.isEmpty
                    ? "\(dataType.words) takes no options."
                    : "\(dataType.words) takes \(allowed.words.joined(separator: ", ")).")
        }
    }

    /// Adds a field that was checked. `place` is that of its type.
    mutating func add(_ field: Schema.Field, at place: SchemaPlace) {
        document.fieldPlaces[type.name]?[field.name] = place
        if let system = Schema.SystemField(name: field.name) {
            type.system[system] = field.options
        } else {
            type.fields.append(field)
            fieldCount += 1
        }
    }

    // MARK: Grants

    mutating func add(
        _ rights: [(right: Schema.Rights, place: SchemaPlace)], to role: Name, at place: SchemaPlace
    ) throws(SchemaError) {
        for (right, place) in rights { try check(right, to: role, at: place) }
        if !Schema.BuiltInRole.all.contains(role) {
            if role.bytes.first == UInt8(ascii: "_") {
                throw SchemaError(
                    "There is no role \(role.shown)", at: place, hint: SchemaBuilder.hint(undeclared: role))
            }
            if !roles.contains(role), awaited.insert(role).inserted { awaitedRoles.append((role, place)) }
        }
        grants[role, default: []].formUnion(rights.reduce(into: []) { $0.formUnion($1.right) })
    }

    private func check(_ right: Schema.Rights, to role: Name, at place: SchemaPlace) throws(SchemaError) {
        let word = right.words.joined()
        if role == Schema.BuiltInRole.world, right != .read {
            throw SchemaError(
                "\(word) cannot be granted to \"_world\"", at: place,
                hint: "Users who are not signed in can only read: grant \(word) to \"_icloud\", all signed-in users.")
        }
        if type.name == Schema.RecordType.usersName, right == .create {
            throw SchemaError(
                "CREATE cannot be granted on record type Users", at: place,
                hint: "The server creates the record of a user when it first sees the user.")
        }
    }
}
