import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// An app that asks somebody to sign in, as identified by a page's address.
struct RequestingApp: Sendable {
    /// Why there is no such app.
    enum Rejection: Error {
        case unknown, expired, noDestination
        /// - Parameter remedy: The command that permits it.
        case notAllowed(WebOrigin, remedy: String)
    }

    let store: any TenantStore
    let catalog: Catalog
    /// Hash of its API token.
    let token: [UInt8]
    /// The name of its API token, for people; may be empty.
    let name: String
    let destination: SignInDestination
    let terms: TokenTermsRow
    /// PNG; nil for none.
    let logo: [UInt8]?

    var tenant: Tenant { store.tenant }

    /// May block.
    ///
    /// - Parameter target: Path and query of a page, with the parameters of ``SignInRequest``.
    /// - Throws: ``Rejection``; ``StorageError/noSuchTenant`` if there is no such container and environment.
    init(_ target: String, _ runner: Runner, now: Milliseconds) throws {
        let parameters = RequestParameters(target)
        guard let place = SignInRequest.place(in: parameters) else { throw Rejection.unknown }
        store = try runner.open(place.tenant)
        (catalog, logo) = try Self.look(in: store)
        guard let asked = try? SignInRequest(place.sealed, key: catalog.head.signingKey),
            let known = catalog.tokens[asked.token], known.revokedAt == 0
        else { throw Rejection.unknown }
        guard now < asked.expiresAt else { throw Rejection.expired }
        let terms = try Self.terms(of: asked.token, in: store)
        guard let destination = terms.destination(asked.origin, callback: parameters.value(of: "callback")) else {
            guard let origin = asked.origin else { throw Rejection.noDestination }
            let origins = terms.origins.isEmpty ? origin.text : "\(terms.origins) \(origin.text)"
            throw Rejection.notAllowed(
                origin, remedy: "nephos token set \(place.tenant.asTyped) \(known.shownID) --origins \(origins)")
        }
        (token, name, self.terms, self.destination) = (asked.token, known.name, terms, destination)
    }

    /// May block.
    ///
    /// - Parameter token: Hash of the API token of a caller whose destination is known.
    /// - Throws: ``Rejection/unknown``
    init(_ token: [UInt8], in store: any TenantStore, _ destination: SignInDestination) throws {
        (self.store, self.token, self.destination) = (store, token, destination)
        (catalog, logo) = try Self.look(in: store)
        guard let known = catalog.tokens[token], known.revokedAt == 0 else { throw Rejection.unknown }
        name = known.name
        terms = try Self.terms(of: token, in: store)
    }

    private static func look(in store: any TenantStore) throws -> (Catalog, logo: [UInt8]?) {
        var set = ReadSet()
        set.ask(LogoRow.only)
        let reading = try store.read(set)
        return (reading.catalog, reading[LogoRow.only].first?.picture)
    }

    private static func terms(of token: [UInt8], in store: any TenantStore) throws -> TokenTermsRow {
        try store.rows(TokenTermsRow.of(token)).first ?? TokenTermsRow(token: token)
    }
}
