import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosStorage

extension Catalog {
    /// What the grants of a new schema do to the records of types that exist already, for the operator who decides about them
    /// (docs/decisions/0056).
    func effects(ofGrantsIn new: Schema) -> [SectionEffect] {
        let old = schema
        return SchemaDifference(from: old, to: new).permissionChanges.flatMap { change -> [SectionEffect] in
            guard case .rightsAdded(_, let role, let name) = change, let type = types[name],
                let before = old[type: name], let after = new[type: name]
            else { return [] }
            let (had, has) = (before.allRights(of: role), after.allRights(of: role))
            let added = has.subtracting(had)
            var effects: [SectionEffect] = []
            if added.contains(.read) {
                effects.append(SectionEffect(.reveals, "records of type \(name) become visible to \(role.holders)"))
            }
            let both: Schema.Rights = [.read, .write]
            if hidesSome(of: type), has.isSuperset(of: both), !had.isSuperset(of: both) {
                effects.append(
                    SectionEffect(
                        .reveals,
                        "records of type \(name) that are drafts, early or ended become visible to \(role.holders), who may change them"
                    ))
            }
            var verbs: [String] = []
            if added.contains(.create) { verbs.append("created") }
            if added.contains(.write) { verbs += ["changed", "deleted"] }
            if let last = verbs.popLast() {
                let list = verbs.isEmpty ? last : "\(verbs.joined(separator: ", ")) and \(last)"
                effects.append(SectionEffect(.opens, "records of type \(name) can be \(list) by \(role.holders)"))
            }
            return effects
        }
    }
}

extension [SectionEffect] {
    /// A line for each, below a heading; nothing if there are none.
    var lines: [String] { isEmpty ? [] : ["Effects:"] + map { "  \($0.kind): \($0.sentence)" } }
}

extension Schema.RecordType {
    /// The rights of those who have a role, including those that everybody has.
    fileprivate func allRights(of role: Name) -> Schema.Rights {
        let ofWorld = self[rightsOf: Schema.BuiltInRole.world].intersection(.read)
        switch role {
        case Schema.BuiltInRole.world: return ofWorld
        // A record that is being created has no creator yet.
        case Schema.BuiltInRole.creator:
            return ofWorld.union(self[rightsOf: Schema.BuiltInRole.icloud])
                .union(self[rightsOf: role].subtracting(.create))
        default: return ofWorld.union(self[rightsOf: Schema.BuiltInRole.icloud]).union(self[rightsOf: role])
        }
    }
}

extension Name {
    /// Those who have the role of this name, for people.
    fileprivate var holders: String {
        switch self {
        case Schema.BuiltInRole.world: "everybody"
        case Schema.BuiltInRole.icloud: "everybody who is signed in"
        case Schema.BuiltInRole.creator: "those who created them"
        default: "the role \(text)"
        }
    }
}
