import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The messages of one environment, for operator commands.
struct MessageOperations: Sendable {
    let administration: Administration
    let tenant: Tenant
    let store: any TenantStore
    let settings: MessageSettings
    private let catalog: Catalog
    private var type: TypeNumber? { catalog.types[settings.type]?.row.number }

    /// - Throws: If the container has no messages.
    init(_ call: any UseCaseCall, _ tenant: Tenant) throws {
        administration = try call.administration
        self.tenant = tenant
        store = try administration.store(tenant)
        let catalog = try administration.read(store).catalog
        guard let settings = try catalog.settingsOfMessages() else {
            let next =
                tenant.environment == .production
                ? "Production gets its settings with: \(call.command("schema deploy \(tenant.container)"))"
                : "Create the first with: \(call.command("message new \(tenant.container) FILE.yaml"))"
            throw Failure("\(tenant) has no messages. \(next)")
        }
        self.settings = settings
        self.catalog = catalog
    }

    /// All messages ordered by ID; a failure for a record that is not a valid message.
    func all() throws -> [(record: RecordRow, message: Result<Message, MessageFailure>)] {
        guard let type else { return [] }
        var (walk, found): (TypeWalk, [(RecordRow, Result<Message, MessageFailure>)]) = (TypeWalk(type), [])
        while let page = try walk.next(store) {
            found += page.records.map { record in
                (record, Result { () throws(MessageFailure) in try Message(record.name, fields: record.fields) })
            }
        }
        return found
    }

    func recordType() throws(Failure) -> RecordType {
        if let type = catalog.types[settings.type] { return type }
        throw Failure(
            "Record type \(settings.type.excerpt), named under messages in the settings, does not exist in \(tenant).")
    }

    func record(_ id: String) throws -> RecordRow {
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(Messages.database, defaultZoneName), name: Name(id))]
        guard case .record(let record)? = try administration.read(store, set).records.first else {
            throw Failure("There is no message \(id) in \(tenant).")
        }
        guard record.type == type else {
            throw Failure("\(id) is a record of another type in \(tenant): choose another id.")
        }
        return record
    }

    /// How many people have seen a message, have done what it asks for, and have dismissed it.
    func counts(of message: Name) throws -> (shown: Int, acted: Int, dismissed: Int) {
        var (counts, last): ((shown: Int, acted: Int, dismissed: Int), [UInt8]?) = ((0, 0, 0), [])
        while let seer = last {
            let page = try store.rows(SeenRow.page(of: message, after: seer, limit: Self.pageRows))
            let rows = page.filter { !$0.isTakenOver }
            counts.shown += rows.count
            counts.acted += rows.count { $0.actedAt != 0 }
            counts.dismissed += rows.count { $0.dismissedAt != 0 }
            last = page.count == Self.pageRows ? page.last?.seer : nil
        }
        return counts
    }

    private static let pageRows = 1_000

    /// Changes fields of a message, keeping concurrent changes of other fields.
    func change(_ id: String, _ edits: [(field: Name, edit: FieldEdit)]) async throws {
        _ = try await administration.change("message \(id)", in: tenant) {
            try record(id)
        } save: { record in
            RecordSave(name: id, type: settings.type, old: record, kind: .edit(edits))
        }
    }
}

extension Catalog {
    /// ``messages()``, with an error for operators.
    func settingsOfMessages() throws(Failure) -> MessageSettings? {
        do throws(SectionFailure) { return try messages() } catch {
            throw Failure("The settings of the container cannot be read by this program: \(error)")
        }
    }
}
