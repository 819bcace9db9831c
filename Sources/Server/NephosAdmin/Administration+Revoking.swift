import NephosDomain
public import NephosStorage

/// An API token or a server-to-server key, as a list shows it. Never a secret.
public struct CredentialListing: Sendable, Equatable {
    /// Of a token the beginning of its hash, of a key its id.
    public let id: String
    public let name: String
    public let createdAt: Milliseconds
    /// 0 while it is good.
    public let revokedAt: Milliseconds
    /// Days since 1970 UTC; nil when it was never used, or when that was not noted yet.
    public let lastDay: Int64?
}

extension Administration {
    // MARK: API tokens

    /// All API tokens, in the order in which they were made.
    public func apiTokens(of tenant: Tenant) throws(AdminError) -> [CredentialListing] {
        let store = try store(tenant)
        let tokens = try read(store).catalog.tokens.values.sorted {
            ($0.createdAt, hexadecimal($0.hash)) < ($1.createdAt, hexadecimal($1.hash))
        }
        let days = try lastDays(tokens.map { CredentialKey(.token, $0.hash) }, store)
        return zip(tokens, days).map { token, day in
            CredentialListing(
                id: Self.listedID(token), name: token.name, createdAt: token.createdAt, revokedAt: token.revokedAt,
                lastDay: day)
        }
    }

    /// Takes an API token back, for good. What was revoked already stays so.
    ///
    /// - Parameter id: As ``apiTokens(of:)`` has it, or its beginning.
    public func revokeAPIToken(_ id: String, in tenant: Tenant) async throws(AdminError) {
        let now = max(inputs.now(), 1)
        try await changeAPIToken(id, in: tenant) { if $0.revokedAt == 0 { $0.revokedAt = now } }
    }

    public func renameAPIToken(_ id: String, in tenant: Tenant, to name: String) async throws(AdminError) {
        let name = try Validation.name(name, of: "token name")
        try await changeAPIToken(id, in: tenant) { $0.name = name }
    }

    private func changeAPIToken(
        _ id: String, in tenant: Tenant, _ change: @escaping @Sendable (inout APITokenRow) -> Void
    ) async throws(AdminError) {
        try await commit(to: try store(tenant), ReadSet()) { reading in
            let all = Array(reading.catalog.tokens.values)
            let token = try Self.one(of: all, "API tokens", id, Self.listedID, .noToken(id, tenant))
            var changed = token
            change(&changed)
            return .write(.changing(.token(token), to: .token(changed)), ())
        }
    }

    private static func listedID(_ token: APITokenRow) -> String { hexadecimal(token.hash.prefix(8)) }

    // MARK: Server-to-server keys

    /// All keys, in the order in which they were made.
    public func serverKeys(of tenant: Tenant) throws(AdminError) -> [CredentialListing] {
        let store = try store(tenant)
        let keys = try read(store).catalog.keys.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        let days = try lastDays(keys.map { CredentialKey(.key, Array($0.id.utf8)) }, store)
        return zip(keys, days).map { key, day in
            CredentialListing(
                id: key.id, name: key.name, createdAt: key.createdAt, revokedAt: key.revokedAt, lastDay: day)
        }
    }

    /// Takes a key back, with its webhooks and streams. Registering it again makes it good again, as the same user.
    ///
    /// - Parameter id: Or its beginning.
    public func revokeServerKey(_ id: String, in tenant: Tenant) async throws(AdminError) {
        let now = max(inputs.now(), 1)
        try await changeServerKey(id, in: tenant) { if $0.revokedAt == 0 { $0.revokedAt = now } }
    }

    public func renameServerKey(_ id: String, in tenant: Tenant, to name: String) async throws(AdminError) {
        let name = try Validation.name(name, of: "key name")
        try await changeServerKey(id, in: tenant) { $0.name = name }
    }

    private func changeServerKey(
        _ id: String, in tenant: Tenant, _ change: @escaping @Sendable (inout ServerKeyRow) -> Void
    ) async throws(AdminError) {
        try await commit(to: try store(tenant), ReadSet()) { reading in
            let key = try Self.one(of: Array(reading.catalog.keys.values), "keys", id, \.id, .noKey(id))
            var changed = key
            change(&changed)
            return .write(.changing(.key(key), to: .key(changed)), ())
        }
    }

    // MARK: Both

    /// The one whose id begins so.
    private static func one<Row>(
        of rows: [Row], _ what: String, _ id: String, _ name: (Row) -> String, _ absent: AdminError
    ) throws(AdminError) -> Row {
        let found = rows.filter { name($0).hasPrefix(id.lowercased()) }
        guard let row = found.first, !id.isEmpty else { throw absent }
        guard found.count == 1 else { throw .refused("\(found.count) \(what) begin with \(id). Type more of it.") }
        return row
    }

    /// The last days on which credentials were used, as far as they were noted.
    func lastDays(_ keys: [CredentialKey], _ store: any TenantStore) throws(AdminError) -> [Int64?] {
        var set = ReadSet()
        set.uses = keys
        return try read(store, set).uses.map { $0?.day }
    }
}

extension WriteSet {
    /// Nothing where nothing changes.
    fileprivate static func changing(_ old: CatalogRow, to new: CatalogRow) -> WriteSet {
        var writes = WriteSet()
        if old != new { writes.catalog = [CatalogWrite(old: old, new: new)] }
        return writes
    }
}
