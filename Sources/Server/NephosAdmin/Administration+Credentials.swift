import CloudKitWire
import Crypto
import NephosDomain
package import NephosRunner
package import NephosStorage

extension Administration {
    /// Creates an API token for one environment of a container.
    ///
    /// - Parameter name: For people; at most 255 bytes.
    /// - Returns: The token. The store keeps only its hash, so it cannot be shown again.
    package func createAPIToken(in tenant: Tenant, name: String = "") async throws(AdminError) -> String {
        let name = try Validation.name(name, of: "token name")
        let token = APIToken.make(random: inputs.randomBytes(32))
        let row = APITokenRow(hash: APIToken.hash(token), name: name, createdAt: inputs.now())
        try await commit(to: try store(tenant), ReadSet()) { _ in
            var writes = WriteSet()
            writes.catalog = [CatalogWrite(new: .token(row))]
            return .write(writes, ())
        }
        return token
    }

    /// Creates a P-256 key pair and registers its public half, with its own user.
    ///
    /// - Parameter save: Stores the private half somewhere safe before the key becomes valid. If it throws, nothing is
    ///   registered.
    package func generateServerKey(
        in tenant: Tenant, save: (_ privateKeyPEM: String) throws -> Void
    ) async throws -> String {
        let store = try store(tenant)
        let key = ServerKey.makePrivateKey(by: inputs.randomBytes)
        try save(key.pemRepresentation)
        return try await register(key.publicKey, in: store)
    }

    /// Registers the public half of a P-256 key pair (PEM, SubjectPublicKeyInfo), with its own user.
    ///
    /// - Throws: ``AdminError/notPublicKey``; ``AdminError/keyExists(_:)``.
    package func registerServerKey(in tenant: Tenant, publicKeyPEM: String) async throws(AdminError) -> String {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: publicKeyPEM) else {
            throw .notPublicKey
        }
        return try await register(key, in: try store(tenant))
    }

    /// Creates a session for the person with this address, without a password.
    ///
    /// - Returns: A web auth token. It is valid for the lifetime of a fixed session, and so are the tokens that replace it.
    /// - Throws: ``AdminError/noAccount(_:)``; ``AdminError/refused(_:)`` for an account that is being deleted.
    package func createSession(in tenant: Tenant, email: String) async throws(AdminError) -> String {
        let store = try store(tenant)
        let account = try account(email: email)
        let now = inputs.now()
        guard try deletions(of: [account]).isEmpty else { throw .leaves(account) }
        let enrolment = Enrolment.person(
            account: account.id, newID: inputs.userID(), sessionID: inputs.randomBytes(16),
            secret: inputs.randomBytes(32), now: now)
        let session = try await commit(to: store, enrolment.reading, enrolment.decide)
        guard let session else { throw .storage(.failed("a person was enrolled without a session")) }
        do {
            guard try runner.stays(account.id, at: now) else { throw AdminError.leaves(account) }
        } catch { throw AdminError(error) }
        guard let token = WebAuthToken.issue(for: session, nonce: inputs.number()) else {
            throw .storage(.failed("a new session has no secret"))
        }
        return token
    }

    private func register(_ key: P256.Signing.PublicKey, in store: any TenantStore) async throws(AdminError) -> String {
        let id = ServerKey.id(of: key)
        let enrolment = Enrolment.key(key, newID: inputs.userID(), now: inputs.now())
        do {
            _ = try await write(to: store, enrolment.reading, enrolment.decide)
        } catch Refusal.recordExists {
            throw .keyExists(id)
        } catch {
            throw AdminError(error)
        }
        return id
    }
}
