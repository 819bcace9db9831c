import CloudKitWire

extension Schema {
    /// This schema after changes; the changes of a ``SchemaDifference`` from it lead to the other schema.
    public func applying(_ difference: SchemaDifference) -> Schema {
        var schema = self
        for change in difference.changes + difference.permissionChanges { schema.apply(change) }
        return schema
    }

    /// Applies one change. A change to something that does not exist does nothing.
    private mutating func apply(_ change: SchemaChange) {
        switch change {
        case .recordTypeAdded(let type): self[type: type] = RecordType(name: type)
        case .recordTypeRemoved(let type): self[type: type] = nil
        case .fieldAdded(let field, let type): self[type: type]?[field: field.name] = field
        case .fieldRemoved(let field, let type): self[type: type]?[field: field.name] = nil
        case .dataTypeChanged(let field, _, let new, let type): self[type: type]?[field: field]?.type = new
        case .optionsAdded(let options, let field, let type):
            self[type: type]?.changeOptions(of: field) { $0.union(options) }
        case .optionsRemoved(let options, let field, let type):
            self[type: type]?.changeOptions(of: field) { $0.subtracting(options) }
        case .roleAdded(let role): insert(role: role)
        case .roleRemoved(let role): remove(role: role)
        case .rightsAdded(let rights, let role, let type): self[type: type]?[rightsOf: role].formUnion(rights)
        case .rightsRemoved(let rights, let role, let type): self[type: type]?[rightsOf: role].subtract(rights)
        }
    }
}

extension Schema.RecordType {
    fileprivate mutating func changeOptions(of field: Name, _ change: (Schema.Options) -> Schema.Options) {
        if let system = Schema.SystemField(name: field) {
            self[optionsOf: system] = change(self[optionsOf: system])
        } else if let known = self[field: field] {
            self[field: field]?.options = change(known.options)
        }
    }
}
