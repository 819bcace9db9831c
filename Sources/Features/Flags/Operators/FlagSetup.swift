import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Creates what flags need if it is missing: the section of the settings, and the record type.
struct FlagSetup {
    let call: any UseCaseCall
    let tenant: Tenant

    /// The default record type of flags.
    static let standardType: Name = "FeatureFlag"
    static let role: Name = "Admin"

    /// - Returns: What was created, and probable mistakes: for the operator.
    func carryOut() async throws -> [String] {
        let administration = try call.administration
        let store = try administration.store(tenant)
        let catalog = try administration.read(store).catalog
        let stored = try catalog.typeOfFlags()
        let type = stored ?? Self.standardType
        if tenant.environment == .production {
            guard stored != nil else { throw Failure(try FlagOperations.lacking(call, tenant)) }
            guard catalog.types[type] != nil else {
                throw Failure(
                    "\(tenant) has no record type \(type). Production gets it with: "
                        + call.command("schema deploy \(tenant.container)"))
            }
        }
        var notes: [String] = []
        if let known = catalog.schema[type: type] {
            notes += warnings(known)
        } else {
            let change = ChangeSchema { schema in schema.adding(.flags(named: type)) }
            _ = try await administration.commit(to: store, change.reading, change.decide)
            notes.append(
                "Created the record type \(type) in \(tenant.environment.rawValue): everybody can read, the role \(Self.role) can change. Assign it with: "
                    + call.command("role assign \(tenant.container) \(Self.role) EMAIL"))
        }
        let current = try administration.read(store).catalog
        guard try current.typeOfFlags() == nil else { return notes }
        var json = JSONWriter()
        json.beginObject()
        json.member("type", type)
        json.endObject()
        let documents: [String: Bytes?] = [Flags.name: json.bytes[...]]
        let change = try ChangeSections(
            documents, of: current.knownSections, by: call.actor.author, now: call.now())
        _ = try await administration.changing(
            documents, from: current, of: store, progress: { [call] in call.progress($0) }
        ) { version throws(AdminError) in
            try await administration.commit(to: store, at: version, change.reading, change.decide)
        }
        return notes + ["Created the section flags of the settings."]
    }

    /// The same warning as that of `nephos lint`.
    private func warnings(_ type: Schema.RecordType) -> [String] {
        guard !type[rightsOf: Schema.BuiltInRole.icloud].isDisjoint(with: [.create, .write]) else { return [] }
        let mend = call.command("role preset \(tenant.container) \(type.name) admin-only --role \(Self.role)")
        return [
            "Warning: everybody who is signed in can add or change records of type \(type.name). Fix it with: \(mend)"
        ]
    }
}

extension Schema {
    fileprivate func adding(_ type: RecordType) -> Schema {
        var schema = self
        guard schema[type: type.name] == nil else { return schema }
        schema.insert(role: FlagSetup.role)
        schema[type: type.name] = type
        return schema
    }
}

extension Schema.RecordType {
    /// The type with the fields of flags (docs/flags.md).
    static func flags(named name: Name) -> Schema.RecordType {
        var fields = FlagField.texts.map { ($0, FieldType.string) }
        fields += [(FlagField.tags, .stringList), (FlagField.expires, .timestamp), (FlagField.permanent, .int64)]
        return Schema.RecordType(
            name: name,
            fields: fields.compactMap { name, kind in
                Schema.DataType(kind).map { Schema.Field(name: name, type: $0) }
            }, systemOptions: [.recordID: .queryable, .modTime: .sortable],
            grants: GrantPreset.adminOnly(role: FlagSetup.role).grants)
    }
}

/// The field names of flag records.
enum FlagField {
    static let displayName: Name = "displayName", state: Name = "state", kind: Name = "kind"
    static let variants: Name = "variants", offVariant: Name = "offVariant", defaultVariant: Name = "defaultVariant"
    static let rules: Name = "rules", prerequisites: Name = "prerequisites", schedule: Name = "schedule"
    static let salt: Name = "salt", owner: Name = "owner", note: Name = "note"
    static let tags: Name = "tags", expires: Name = "expires", permanent: Name = "permanent"

    /// All STRING fields.
    static let texts = [
        displayName, state, kind, variants, offVariant, defaultVariant, rules, prerequisites, schedule, salt, owner,
        note,
    ]

    static let all = texts + [tags, expires, permanent]
}
