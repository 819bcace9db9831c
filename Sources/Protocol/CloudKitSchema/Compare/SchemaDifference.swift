import CloudKitWire

/// The difference between two schemas, as the changes that lead from the old one to the new one.
public struct SchemaDifference: Sendable, Equatable, CustomStringConvertible {
    /// Changes of record types, fields and indexes, grouped by record type.
    public private(set) var changes: [SchemaChange] = []
    /// Changes of permissions: roles, then grants.
    public private(set) var permissionChanges: [SchemaChange] = []

    public init(from old: Schema, to new: Schema) {
        for role in new.roles where !old.roles.contains(role) { permissionChanges.append(.roleAdded(role)) }
        for (old, new) in paired(old.recordTypes, new.recordTypes, \.name) { add(old, new) }
        for role in old.roles where !new.roles.contains(role) { permissionChanges.append(.roleRemoved(role)) }
    }

    public var isEmpty: Bool { changes.isEmpty && permissionChanges.isEmpty }

    /// The changes that would lose stored values.
    public var losses: [SchemaChange] { changes.filter(\.losesData) }

    /// One line per change, permissions separately.
    public var description: String {
        guard !isEmpty else { return "No changes." }
        var lines: [String] = []
        if !changes.isEmpty { lines += ["Record types and fields:"] + changes.map { "  \($0)" } }
        if !permissionChanges.isEmpty { lines += ["Permissions:"] + permissionChanges.map { "  \($0)" } }
        return lines.joined(separator: "\n")
    }

    // MARK: Comparing

    private mutating func add(_ old: Schema.RecordType?, _ new: Schema.RecordType?) {
        guard let new else {
            if let old { changes.append(.recordTypeRemoved(old.name)) }
            return
        }
        if old == nil { changes.append(.recordTypeAdded(new.name)) }
        let type = new.name
        let old = old ?? Schema.RecordType(name: type)
        for field in Schema.SystemField.allCases {
            addOptions(of: field.name, old[optionsOf: field], new[optionsOf: field], in: type)
        }
        for (old, new) in paired(old.fields, new.fields, \.name) { add(old, new, in: type) }
        addRights(old, new)
    }

    private mutating func add(_ old: Schema.Field?, _ new: Schema.Field?, in type: Name) {
        switch (old, new) {
        case (nil, let new?): changes.append(.fieldAdded(new, in: type))
        case (let old?, nil): changes.append(.fieldRemoved(old, in: type))
        case (let old?, let new?):
            if old.type != new.type {
                changes.append(.dataTypeChanged(of: new.name, from: old.type, to: new.type, in: type))
            }
            addOptions(of: new.name, old.options, new.options, in: type)
        case (nil, nil): break
        }
    }

    private mutating func addOptions(of field: Name, _ old: Schema.Options, _ new: Schema.Options, in type: Name) {
        let added = new.subtracting(old)
        let removed = old.subtracting(new)
        if !added.isEmpty { changes.append(.optionsAdded(added, to: field, in: type)) }
        if !removed.isEmpty { changes.append(.optionsRemoved(removed, from: field, in: type)) }
    }

    private mutating func addRights(_ old: Schema.RecordType, _ new: Schema.RecordType) {
        for role in Set(old.grants.keys).union(new.grants.keys).sorted() {
            let added = new[rightsOf: role].subtracting(old[rightsOf: role])
            let removed = old[rightsOf: role].subtracting(new[rightsOf: role])
            if !added.isEmpty { permissionChanges.append(.rightsAdded(added, to: role, on: new.name)) }
            if !removed.isEmpty { permissionChanges.append(.rightsRemoved(removed, from: role, on: new.name)) }
        }
    }
}

/// Elements of two sorted lists, paired by name, in the order of names.
private func paired<Element>(
    _ old: [Element], _ new: [Element], _ name: KeyPath<Element, Name>
) -> [(Element?, Element?)] {
    var pairs: [(Element?, Element?)] = []
    var old = old[...]
    var new = new[...]
    while let left = old.first, let right = new.first {
        let isBoth = left[keyPath: name] == right[keyPath: name]
        let isOld = isBoth || left[keyPath: name] < right[keyPath: name]
        pairs.append((isOld ? left : nil, isBoth || !isOld ? right : nil))
        if isOld { old.removeFirst() }
        if isBoth || !isOld { new.removeFirst() }
    }
    return pairs + old.map { ($0, nil) } + new.map { (nil, $0) }
}
