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
    let catalog: Catalog
    /// The command line of a use case.
    private let command: @Sendable (String) -> String
    private var type: TypeNumber? { catalog.types[settings.type]?.row.number }

    /// - Throws: If the container has no messages.
    init(_ call: any UseCaseCall, _ tenant: Tenant) throws {
        guard let found = try Self(ifAny: call, tenant) else { throw Failure(try Self.lacking(call, tenant)) }
        self = found
    }

    /// nil if the container has no messages.
    init?(ifAny call: any UseCaseCall, _ tenant: Tenant) throws {
        administration = try call.administration
        self.tenant = tenant
        store = try administration.store(tenant)
        let catalog = try administration.read(store).catalog
        guard let settings = try catalog.settingsOfMessages() else { return nil }
        self.settings = settings
        self.catalog = catalog
        command = { call.command($0) }
    }

    /// That a container has no messages, and the next step.
    static func lacking(_ call: any UseCaseCall, _ tenant: Tenant) throws -> String {
        try call.lacking(
            "messages", of: MessageSetup.standardType, in: tenant, creating: "message new \(tenant.container) FILE.yaml"
        )
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
            throw Failure("There is no message \(id) in \(tenant). \(try remedy(forMissing: id))")
        }
        guard record.type == type else {
            throw Failure("\(id) is a record of another type in \(tenant): choose another id.")
        }
        return record
    }

    /// What to do about a message that does not exist: a schema that is deployed brings no messages with it.
    private func remedy(forMissing id: String) throws -> String {
        let development = Tenant(container: tenant.container, environment: .development)
        guard tenant.environment == .production, try has(id, in: administration.store(development)) else {
            return "See all with: \(command("message list \(tenant.asTyped)"))"
        }
        return """
            It exists in development. Write it into a file, and create it from that, with:
              \(command("message export \(tenant.container) \(id) \(id).yaml"))
              \(command("message new \(tenant.asTyped) \(id).yaml"))
            """
    }

    private func has(_ id: String, in store: any TenantStore) throws(AdminError) -> Bool {
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(Messages.database, defaultZoneName), name: Name(id))]
        if case .record? = try administration.read(store, set).records.first { return true }
        return false
    }

    /// Whether and when a message is shown, for people; nil if its record is not a valid message.
    func shownSentence(_ id: String, now: Milliseconds) throws -> String? {
        let record = try record(id)
        do throws(MessageFailure) {
            let message = try Message(record.name, fields: record.fields)
            guard let start = message.publishedAt else { return "It is a draft." }
            return TypedWindow.sentence(
                of: "It", in: tenant.environment, from: start, until: message.until, now: now)
        } catch {
            return nil
        }
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

    /// How messages of a kind can be published although the settings do not permit it yet; nil if they do.
    func remedy(for kind: String) -> String? {
        guard !settings.kinds.contains(where: { $0.rawValue == kind }) else { return nil }
        let container = tenant.container
        let deploy =
            tenant.environment == .production ? "\nThen deploy it with: \(command("schema deploy \(container)"))" : ""
        return
            "The settings do not permit kind \(kind) yet. Add it with: \(command("message kind add \(container) \(kind)"))\(deploy)"
    }

    /// Changes the editors' note as a file says; one without a note leaves it as it is.
    func takeNote(of file: MessageFile, _ call: any UseCaseCall) async throws {
        guard let note = file.note, note != (try self.note(of: file.id)?.text ?? "") else { return }
        try await setNote(of: file.id, to: note, now: call.now(), by: call.actor.author)
    }

    /// Makes a message a draft; one that has neither a start nor an end is left unchanged.
    ///
    /// - Returns: Which of the two it had.
    func withdraw(_ id: String) async throws -> [Name] {
        let old = try await administration.change("message \(id)", in: tenant) {
            try record(id)
        } save: { record in
            record.times.isEmpty
                ? nil
                : RecordSave(
                    name: id, type: settings.type, old: record,
                    kind: .edit([(MessageField.publishedAt, .removed), (MessageField.until, .removed)]))
        }
        return old.times
    }
}

extension RecordRow {
    /// Which of publishedAt and until have a value.
    fileprivate var times: [Name] {
        var times: [Name] = []
        CanonicalFields.read(MessageField.times, in: fields) { place, _ in times.append(MessageField.times[place]) }
        return times
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
