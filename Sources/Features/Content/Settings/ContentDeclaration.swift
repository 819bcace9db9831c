import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A type that is content, or becomes content because its fields have the usual names.
struct ContentDeclaration {
    let operations: ContentOperations
    /// The roles of its fields.
    let content: ContentType
    private let call: any UseCaseCall
    private let type: Name

    /// Only reads.
    ///
    /// - Throws: If the type cannot be content.
    init(call: any UseCaseCall, tenant: Tenant, type name: Name) throws {
        (self.call, type) = (call, name)
        operations = try ContentOperations(call, tenant)
        if let content = operations.settings.types[name] {
            self.content = content
            return
        }
        guard let type = operations.catalog.types[name] else {
            let step =
                tenant.environment == .production
                ? "schema deploy \(tenant.container)" : "schema import \(tenant.container) FILE"
            throw Failure("There is no record type \(name.excerpt) in \(tenant). Create it with: \(call.command(step))")
        }
        content = ContentType(usualOf: type)
        guard content.fields[.publishedAt] != nil else {
            throw Failure(
                "\(name) has no TIMESTAMP field publishedAt: add one, or name another under content in the settings.")
        }
        guard tenant.environment == .development else {
            throw Failure(
                "\(name) is not content in production. Deploy the settings with: \(call.command("schema deploy \(tenant.container)"))"
            )
        }
    }

    /// - Returns: What was done, for the operator; nil if it is already content.
    func carryOut() async throws -> String? {
        guard operations.settings.types[type] == nil else { return nil }
        let documents: [String: Bytes?] = [Content.name: operations.settings.declaring(type, content).document[...]]
        let sections = try ChangeSections(
            documents, of: operations.catalog.knownSections, by: call.actor.author, now: call.now())
        _ = try await operations.administration.changing(
            documents, from: operations.catalog, of: operations.store, progress: { [call] in call.progress($0) }
        ) { version throws(AdminError) in
            try await operations.administration.commit(
                to: operations.store, at: version, sections.reading, sections.decide)
        }
        let roles = content.fields.keys.sorted().map(\.rawValue).joined(separator: ", ")
        return
            "\(type) is now content, with the fields \(roles): records without publishedAt are drafts, visible only to people who can write them. "
            + "This was added to the settings, under content."
    }
}
