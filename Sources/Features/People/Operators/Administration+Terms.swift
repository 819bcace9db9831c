import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Administration {
    /// Sets where and how an API token lets people sign in.
    ///
    /// - Parameters:
    ///   - id: The beginning of the token's hash, as in the list of tokens.
    ///   - isFirst: Applies the change only if no terms were set before.
    ///   - change: Changes the current terms.
    /// - Returns: The resulting terms.
    /// - Throws: ``AdminError/noToken(_:_:)``; ``AdminError/refused(_:)`` if several tokens match.
    @discardableResult
    func setTerms(
        of id: String, in tenant: Tenant, onlyAtFirst isFirst: Bool = false,
        _ change: @escaping @Sendable (inout TokenTermsRow) -> Void
    ) async throws(AdminError) -> TokenTermsRow {
        let store = try store(tenant)
        let hash = try token(id, in: store).hash
        let scan = TokenTermsRow.of(hash)
        var set = ReadSet()
        set.ask(scan)
        return try await commit(to: store, set) { reading in
            var writes = WriteSet()
            let old = reading[scan].first
            if let old, isFirst { return .write(writes, old) }
            var new = old ?? TokenTermsRow(token: hash)
            change(&new)
            if new != old { writes.put(new, replacing: old) }
            return .write(writes, new)
        }
    }

    /// The API tokens of an environment, in the order of creation.
    func tokens(in tenant: Tenant) throws(AdminError) -> [TokenListing] {
        let store = try store(tenant)
        let tokens = try read(store).catalog.tokens.values.sorted {
            ($0.createdAt, $0.shownID) < ($1.createdAt, $1.shownID)
        }
        return try listings(of: tokens, in: store)
    }

    /// One of them. - Throws: As ``setTerms(of:in:onlyAtFirst:_:)``.
    func token(_ id: String, in tenant: Tenant) throws(AdminError) -> TokenListing {
        let store = try store(tenant)
        let token = try token(id, in: store)
        return try listings(of: [token], in: store).first ?? TokenListing(token, TokenTermsRow(token: token.hash), nil)
    }

    private func token(_ id: String, in store: any TenantStore) throws(AdminError) -> APITokenRow {
        let found = try read(store).catalog.tokens.values.filter {
            Hexadecimal.text($0.hash).hasPrefix(id.lowercased()) && !id.isEmpty
        }
        guard let token = found.first else { throw .noToken(id, store.tenant) }
        guard found.count == 1 else {
            throw .refused("\(found.count) API tokens begin with \(id). Type more of it.")
        }
        return token
    }

    private func listings(
        of tokens: [APITokenRow], in store: any TenantStore
    ) throws(AdminError) -> [TokenListing] {
        let terms = try rows(TokenTermsRow.of(tokens.map(\.hash)), of: store)
        let uses = try rows(CredentialUseRow.keyed(tokens.map { CredentialKey(.token, $0.hash) }), of: store)
        return tokens.map { token in
            TokenListing(
                token, terms.first { $0.token == token.hash } ?? TokenTermsRow(token: token.hash),
                uses.first { $0.key.id == token.hash }?.day)
        }
    }

    /// Sets the logo that pages show for the app of an environment; nil for none.
    ///
    /// - Throws: ``AdminError/refused(_:)`` for a picture that is not valid.
    func setLogo(
        to picture: [UInt8]?, named name: String = "The picture", in tenant: Tenant
    ) async throws(AdminError) {
        if let picture, let fault = LogoRow.fault(of: picture) {
            throw .refused("\(name) \(fault). Use a PNG of at most \(LogoRow.bytesMax >> 10) KB.")
        }
        var set = ReadSet()
        set.ask(LogoRow.only)
        let now = inputs.now()
        try await commit(to: try store(tenant), set) { reading in
            var writes = WriteSet()
            let old = reading[LogoRow.only].first
            if let picture {
                writes.put(LogoRow(picture: picture, changedAt: now), replacing: old)
            } else if let old {
                writes.remove(old)
            }
            return .write(writes, ())
        }
    }
}
