import CloudKitWire
import NephosDomain
package import NephosRunner
package import NephosStorage

/// A kind of credential that is created once and valid until it is revoked.
package enum CredentialKind: Sendable {
    /// An API token, which admits an app.
    case token
    /// A server-to-server key.
    case key
}

/// An API token or a server-to-server key as shown in a list. Contains no secret.
package struct CredentialListing: Sendable, Equatable {
    /// For a token the beginning of its hash, for a key its id.
    package let id: String
    package let name: String
    package let createdAt: Milliseconds
    /// 0 while it is valid.
    package let revokedAt: Milliseconds
    /// Days since 1970 UTC; nil if it was never used, or if that was not recorded yet.
    package let lastDay: Int64?
}

extension Administration {
    /// All credentials of a kind, including revoked ones, in the order of creation.
    package func credentials(_ kind: CredentialKind, of tenant: Tenant) throws(AdminError) -> [CredentialListing] {
        let store = try store(tenant)
        let all = kind.all(in: try read(store).catalog).sorted {
            ($0.createdAt, $0.listedID) < ($1.createdAt, $1.listedID)
        }
        let days = try lastDays(all.map(\.useKey), store)
        return zip(all, days).map { credential, day in
            CredentialListing(
                id: credential.listedID, name: credential.name, createdAt: credential.createdAt,
                revokedAt: credential.revokedAt, lastDay: day)
        }
    }

    /// Revokes a token or key, and with it its links, streams and webhooks. An already revoked one stays revoked. A key becomes
    /// valid again, as the same user, when it is registered again; a token never does.
    ///
    /// - Parameter id: As in ``credentials(_:of:)``, or its beginning.
    /// - Throws: ``AdminError/noToken(_:_:)``, ``AdminError/noServerKey(_:_:)``; ``AdminError/refused(_:)`` if the beginning is
    ///   ambiguous.
    package func revoke(_ kind: CredentialKind, _ id: String, in tenant: Tenant) async throws(AdminError) {
        let now = max(inputs.now(), 1)
        try await change(kind, id, in: tenant) { if $0.revokedAt == 0 { $0.revokedAt = now } }
    }

    /// Changes the name of a token or key. - Parameter id: As in ``revoke(_:_:in:)``.
    package func rename(
        _ kind: CredentialKind, _ id: String, in tenant: Tenant, to name: String
    ) async throws(AdminError) {
        let name = try Validation.name(name, of: "credential name")
        try await change(kind, id, in: tenant) { $0.name = name }
    }

    private func change(
        _ kind: CredentialKind, _ id: String, in tenant: Tenant,
        _ change: @escaping @Sendable (inout any Credential) -> Void
    ) async throws(AdminError) {
        try await commit(to: try store(tenant), ReadSet()) { reading in
            let found = kind.all(in: reading.catalog).filter { $0.listedID.hasPrefix(id.lowercased()) }
            guard let old = found.first, !id.isEmpty else { throw kind.isAbsent(id, tenant) }
            guard found.count == 1 else {
                throw AdminError.refused("\(found.count) \(kind.plural) begin with \(id). Pass more of the id.")
            }
            var new = old
            change(&new)
            var writes = WriteSet()
            if old.row != new.row { writes.catalog = [CatalogWrite(old: old.row, new: new.row)] }
            return .write(writes, ())
        }
    }

    /// The last days on which credentials were used, as far as recorded.
    func lastDays(_ keys: [CredentialKey], _ store: any TenantStore) throws(AdminError) -> [Int64?] {
        let uses = try stored { () throws(StorageError) in try store.rows(CredentialUseRow.keyed(keys)) }
        let days = Dictionary(uses.map { ($0.key, $0.day) }) { first, _ in first }
        return keys.map { days[$0] }
    }
}

extension CredentialKind {
    fileprivate func all(in catalog: Catalog) -> [any Credential] {
        switch self {
        case .token: Array(catalog.tokens.values)
        case .key: Array(catalog.keys.values)
        }
    }

    fileprivate var plural: String {
        switch self {
        case .token: "API tokens"
        case .key: "keys"
        }
    }

    fileprivate func isAbsent(_ id: String, _ tenant: Tenant) -> AdminError {
        switch self {
        case .token: .noToken(id, tenant)
        case .key: .noServerKey(id, tenant)
        }
    }
}

private protocol Credential: Sendable {
    var name: String { get set }
    var createdAt: Milliseconds { get }
    var revokedAt: Milliseconds { get set }
    /// The id for people.
    var listedID: String { get }
    var useKey: CredentialKey { get }
    var row: CatalogRow { get }
}

extension APITokenRow: Credential {
    fileprivate var listedID: String { shownID }
    fileprivate var useKey: CredentialKey { CredentialKey(.token, hash) }
    fileprivate var row: CatalogRow { .token(self) }
}

extension ServerKeyRow: Credential {
    fileprivate var listedID: String { id }
    fileprivate var useKey: CredentialKey { CredentialKey(.key, Array(id.utf8)) }
    fileprivate var row: CatalogRow { .key(self) }
}
