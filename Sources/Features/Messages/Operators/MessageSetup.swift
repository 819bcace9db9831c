import CloudKitSchema
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Creates what messages need if it is missing: the record type, the section of the settings, and the constraint that at most one
/// is shown at a time.
struct MessageSetup {
    let call: any UseCaseCall
    let tenant: Tenant
    /// The kinds that may be published.
    let kinds: [String]
    /// The default language is first.
    let languages: [String]

    /// The default record type of messages.
    static let standardType: Name = "Message"
    static let role: Name = "Admin"
    private static let constraints = "constraints"

    /// - Returns: What was created, for the operator.
    func carryOut() async throws -> [String] {
        let administration = try call.administration
        let store = try administration.store(tenant)
        let catalog = try administration.read(store).catalog
        guard try catalog.settingsOfMessages() == nil else { return [] }
        guard tenant.environment == .development else { throw Failure(try MessageOperations.lacking(call, tenant)) }
        var notes: [String] = []
        if try await Self.make(Self.standardType, administration, store, { .messages }) {
            notes.append(
                "Created the record type \(Self.standardType) in \(tenant.environment.rawValue): everybody can read what is published, the role \(Self.role) can edit. Assign it with: "
                    + call.command("role assign \(tenant.container) \(Self.role) EMAIL"))
        }
        let current = try administration.read(store).catalog
        guard try current.settingsOfMessages() == nil else { return notes }
        let documents: [String: Bytes?] = [
            Messages.name: section[...], Self.constraints: try constraints(current)[...],
        ]
        try await Self.write(documents, from: current, call, store)
        notes.append(
            "Created the section messages of the settings, with the languages and the kind of this message, and a constraint: at most one message "
                + "at a time per slot and audience.")
        return notes
    }

    /// Creates a record type if it is missing. - Returns: Whether it was.
    static func make(
        _ name: Name, _ administration: Administration, _ store: any TenantStore,
        _ type: @escaping @Sendable () -> Schema.RecordType
    ) async throws -> Bool {
        guard try administration.read(store).catalog.schema[type: name] == nil else { return false }
        let change = ChangeSchema { schema in
            var schema = schema
            guard schema[type: name] == nil else { return schema }
            schema.insert(role: role)
            schema[type: name] = type()
            return schema
        }
        _ = try await administration.commit(to: store, change.reading, change.decide)
        return true
    }

    /// Changes sections of the settings.
    ///
    /// - Parameter catalog: From which the documents were made.
    static func write(
        _ documents: [String: Bytes?], from catalog: Catalog, _ call: any UseCaseCall, _ store: any TenantStore
    ) async throws {
        let administration = try call.administration
        let change = try ChangeSections(
            documents, of: catalog.knownSections, by: call.actor.author, now: call.now())
        _ = try await administration.changing(
            documents, from: catalog, of: store, progress: { call.progress($0) }
        ) { version throws(AdminError) in
            try await administration.commit(to: store, at: version, change.reading, change.decide)
        }
    }

    private var section: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("type", Self.standardType)
        json.key("kinds")
        json.beginArray()
        for kind in kinds { json.string(kind) }
        json.endArray()
        json.key("languages")
        json.beginArray()
        for language in languages { json.string(language) }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// The section with an added constraint: time windows of messages do not overlap.
    private func constraints(_ catalog: Catalog) throws -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        var isThere = false
        if let document = catalog.sections[Self.constraints]?.document {
            var reader = try JSONReader(document)
            try reader.readObject { reader, key throws(WireError) in
                isThere = isThere || key.name == Self.standardType
                json.key(named: key.name)
                json.raw(try reader.skipValue())
            }
        }
        if !isThere {
            json.key(named: Self.standardType)
            json.raw(
                Array(
                    #"[{"rule":"noOverlap","start":"publishedAt","end":"until","group":["slot","audience"],"drafts":true}]"#
                        .utf8)[...])
        }
        json.endObject()
        return json.bytes
    }
}

extension Schema.RecordType {
    /// The type with the fields of messages (docs/messages.md).
    static var messages: Schema.RecordType {
        var fields = MessageField.texts.map { ($0, FieldType.string) }
        fields += MessageField.numbers.map { ($0, .int64) } + MessageField.times.map { ($0, .timestamp) }
        fields.append((MessageField.image, .asset))
        return Schema.RecordType(
            name: MessageSetup.standardType,
            fields: fields.compactMap { name, kind in
                Schema.DataType(kind).map { Schema.Field(name: name, type: $0) }
            }, systemOptions: [.recordID: .queryable, .modTime: .sortable],
            grants: GrantPreset.adminOnly(role: MessageSetup.role).grants)
    }
}
