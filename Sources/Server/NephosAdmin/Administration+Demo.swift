import CloudKitSchema
import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// What a new user needs to try a server: a container, and secrets for a signed-in person. Shown by `serve --demo`.
package struct Demo: Sendable, Equatable, Codable {
    package var apiToken: String
    package var webAuthToken: String

    package init(apiToken: String, webAuthToken: String) {
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
    }

    package static let tenant = Tenant(container: "iCloud.org.nephos.demo", environment: .development)
    package static let email = "demo@example.org"

    /// The record type that the demo saves.
    static let note = Schema.RecordType(
        name: "Note",
        fields: Schema.DataType(.string).map {
            [Schema.Field(name: "text", type: $0, options: .justInTime(.string))]
        } ?? [],
        systemOptions: [
            .recordID: .queryable, .createTime: [.queryable, .sortable], .modTime: [.queryable, .sortable],
        ],
        grants: Schema.RecordType.justInTimeGrants)
}

extension Administration {
    /// Creates whatever is missing of the demo: the container, the account, an API token, a session.
    ///
    /// - Parameter known: The secrets of the previous start, because the store does not contain them. Those that are still valid,
    ///   the session for at least one more day, are returned unchanged.
    package func demo(reusing known: Demo?) async throws(AdminError) -> Demo {
        if try !containers().contains(Demo.tenant.container) {
            try createContainer(Demo.tenant.container, isListable: true)
        }
        do { _ = try account(email: Demo.email) } catch AdminError.noAccount {
            _ = try createAccount(email: Demo.email, name: "Demo Person")
        }
        try await declareDemoSchema()
        var demo = known ?? Demo(apiToken: "", webAuthToken: "")
        if try !isValid(apiToken: demo.apiToken, in: Demo.tenant) {
            demo.apiToken = try await createAPIToken(in: Demo.tenant, name: "demo")
        }
        try await announceDemo(Demo.tenant, apiToken: demo.apiToken)
        let tomorrow = inputs.now() + 24 * 3_600_000
        if try !isValid(webAuthToken: demo.webAuthToken, in: Demo.tenant, at: tomorrow) {
            demo.webAuthToken = try await createSession(in: Demo.tenant, email: Demo.email)
        }
        return demo
    }

    /// Declares the record type of the demo's notes, with the indexes for listing and sorting them; a save in development would
    /// create it without these. An existing declaration is not changed.
    private func declareDemoSchema() async throws(AdminError) {
        let change = ChangeSchema { schema in
            guard schema[type: Demo.note.name] == nil else { return schema }
            var schema = schema
            schema[type: Demo.note.name] = Demo.note
            return schema
        }
        _ = try await commit(to: try store(Demo.tenant), change.reading, change.decide)
    }

    private func isValid(apiToken: String, in tenant: Tenant) throws(AdminError) -> Bool {
        let store = try store(tenant)
        let reading = try stored { () throws(StorageError) in try store.read(ReadSet()) }
        return reading.catalog.tokens[APIToken.hash(apiToken)]?.revokedAt == 0
    }

    private func isValid(webAuthToken: String, in tenant: Tenant, at time: Milliseconds) throws(AdminError) -> Bool {
        guard let id = WebAuthToken.sessionID(of: webAuthToken) else { return false }
        let store = try store(tenant)
        let found = try stored { () throws(StorageError) in try store.rows(SessionRow.keyed([id])) }
        guard let session = found.first else { return false }
        return session.revokedAt == 0 && session.expiresAt > time && WebAuthToken.isValid(webAuthToken, for: session)
    }
}
