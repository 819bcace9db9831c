import CloudKitWire

extension Schema {
    /// The development schema after this schema is imported: this one, and the parts of `Users` that are never removed
    /// (docs/schema.md L32, L33).
    public func imported(over development: Schema) -> Schema {
        var schema = self
        let users = Schema.RecordType.usersName
        let roles = Schema.RecordType.userRoles
        if schema[type: users] == nil {
            schema[type: users] = (development[type: users] ?? .users).withoutRights(but: schema.roles)
        }
        if schema[type: users]?[field: roles.name] == nil {
            schema[type: users]?[field: roles.name] = development[type: users]?[field: roles.name] ?? roles
        }
        return schema
    }

    /// Why this schema cannot be imported into development, given production; empty if it can.
    public func importRefusals(development: Schema, production: Schema) -> [SchemaError] {
        refusals(development, production, in: nil)
    }

    func refusals(_ development: Schema, _ production: Schema, in document: SchemaDocument?) -> [SchemaError] {
        let check = ImportCheck(
            schema: imported(over: development), development: development, production: production, document: document)
        return check.refusals
    }
}

extension SchemaDocument {
    /// Why this schema cannot be imported into development, given production; empty if it can. Each error has the most helpful
    /// place in the file, and errors are ordered by place.
    public func importRefusals(development: Schema, production: Schema) -> [SchemaError] {
        schema.refusals(development, production, in: self)
    }
}

extension Schema.RecordType {
    /// Without the rights of roles that are neither built in nor in `roles`.
    func withoutRights(but roles: [Name]) -> Schema.RecordType {
        let kept = grants.filter { Schema.BuiltInRole.all.contains($0.key) || roles.contains($0.key) }
        return Schema.RecordType(name: name, fields: fields, systemOptions: systemOptions, grants: kept)
    }
}
