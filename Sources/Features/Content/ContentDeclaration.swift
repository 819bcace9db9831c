import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Makes a type content by the usual names of its fields, where it is not.
struct ContentDeclaration {
    let call: any UseCaseCall
    let tenant: Tenant

    /// - Returns: What was done, for the operator; nil where it is content already.
    /// - Throws: Where it cannot be.
    func declare(_ name: Name) async throws -> String? {
        let desk = try ContentDesk(call, tenant)
        guard desk.settings.types[name] == nil else { return nil }
        guard let type = desk.catalog.types[name] else {
            let step =
                tenant.environment == .production
                ? "schema deploy \(tenant.container)" : "schema import \(tenant.container) FILE"
            throw Failure("There is no record type \(name.excerpt) in \(tenant). It comes with: \(call.command(step))")
        }
        let content = ContentType(usualOf: type)
        guard content.fields[.publishedAt] != nil else {
            throw Failure(
                "\(name) has no TIMESTAMP field publishedAt: add one, or name another under content of the settings.")
        }
        guard tenant.environment == .development else {
            throw Failure(
                "\(name) is no content in production. It becomes so with: \(call.command("schema deploy \(tenant.container)"))"
            )
        }
        let documents: [String: Bytes?] = [Content.name: desk.settings.declaring(name, content).document[...]]
        let sections = try ChangeSections(
            documents, of: desk.catalog.knownSections, by: call.actor.author, now: call.now())
        _ = try await desk.administration.changing(
            documents, of: desk.store, schema: desk.catalog.schema, progress: { [call] in call.progress($0) }
        ) { version throws(AdminError) in
            try await desk.administration.commit(to: desk.store, at: version, sections.reading, sections.decide)
        }
        let roles = content.fields.keys.sorted().map(\.rawValue).joined(separator: ", ")
        return
            "\(name) is content from now on, by \(roles): records without publishedAt are drafts, which only who may write them sees. "
            + "The settings say so under content."
    }
}
