import CloudKitWire

extension Schema {
    /// Production after this development schema is deployed: everything in production is kept, new items are added, and items in
    /// both take their indexes and grants from here (docs/schema.md L38 to L40).
    public func deployed(to production: Schema) -> Schema {
        var merged = production
        for role in roles { merged.insert(role: role) }
        for type in recordTypes {
            merged[type: type.name] = production[type: type.name].map { type.merged(into: $0) } ?? type
        }
        return merged
    }

    /// Why this development schema cannot be deployed; empty if it can.
    public func deployRefusals(production: Schema) -> [SchemaError] {
        recordTypes.flatMap { type in
            type.fields.compactMap { field in
                guard let old = production[type: type.name]?[field: field.name], !old.type.mayBecome(field.type)
                else { return nil }
                return SchemaError.typeChange(
                    field, from: old, in: type.name, at: nil,
                    "Production has values of that type: rename the field in development.")
            }
        }
    }
}

extension Schema.RecordType {
    fileprivate func merged(into production: Schema.RecordType) -> Schema.RecordType {
        var fields = production.fields
        for field in self.fields {
            guard let old = production[field: field.name] else {
                fields.append(field)
                continue
            }
            // Type changes that are not allowed are refused elsewhere; this must not lose data.
            if old.type.mayBecome(field.type) { fields.append(field) }
        }
        return Schema.RecordType(name: name, fields: fields, systemOptions: systemOptions, grants: grants)
    }
}
