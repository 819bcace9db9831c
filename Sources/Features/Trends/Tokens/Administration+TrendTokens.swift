import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A token as shown in lists.
struct TrendTokenListing: Sendable {
    let row: TrendTokenRow
    /// Days since 1970 UTC; nil if it was never used, or if its use has not been recorded yet.
    let lastDay: Int64?
}

extension Administration {
    /// Creates a token for one environment of a container.
    ///
    /// - Parameters:
    ///   - name: For people; at most 255 bytes.
    ///   - isImport: Whether it imports figures and reads none.
    /// - Returns: The token. The store keeps only its hash, so it cannot be shown again.
    /// - Throws: ``AdminError/refused(_:)`` if there are already ``TrendTokenRow/countMax`` valid tokens.
    func createTrendToken(in tenant: Tenant, name: String, isImport: Bool) async throws(AdminError) -> String {
        let name = try Validation.name(name, of: "token name")
        let token = TrendToken(random: inputs.randomBytes(TrendToken.idBytes + TrendToken.secretBytes))
        let row = TrendTokenRow(
            id: token.id, hash: token.hash, name: name, isImport: isImport, createdAt: inputs.now())
        try await commit(to: try store(tenant), Self.allTrendTokens) { reading in
            let stored = reading[TrendTokenRow.all]
            guard stored.count(where: { $0.revokedAt == 0 }) < TrendTokenRow.countMax else {
                throw AdminError.refused(
                    "\(tenant) already has \(TrendTokenRow.countMax) trends tokens, the most it can have. Revoke one that is not used."
                )
            }
            var writes = WriteSet()
            let revoked = stored.filter { $0.revokedAt != 0 }.sorted { $0.revokedAt > $1.revokedAt }
            for old in revoked.dropFirst(TrendTokenRow.countMax) { writes.remove(old) }
            writes.put(row)
            return .write(writes, ())
        }
        return token.text
    }

    /// All tokens, including recently revoked ones, in order of creation.
    func trendTokens(of tenant: Tenant) throws(AdminError) -> [TrendTokenListing] {
        let store = try store(tenant)
        let all = try rows(TrendTokenRow.all, of: store).sorted {
            ($0.createdAt, $0.listedID) < ($1.createdAt, $1.listedID)
        }
        let uses = try rows(CredentialUseRow.keyed(all.map(\.use)), of: store)
        let days = Dictionary(uses.map { ($0.key, $0.day) }) { first, _ in first }
        return all.map { TrendTokenListing(row: $0, lastDay: days[$0.use]) }
    }

    /// Revokes a token and ends the streams opened with it. A token that is already revoked stays so.
    ///
    /// - Parameter id: The ID from a list, or its beginning.
    /// - Throws: ``AdminError/refused(_:)`` if no token or several match.
    func revokeTrendToken(_ id: String, in tenant: Tenant) async throws(AdminError) {
        let now = max(inputs.now(), 1)
        try await commit(to: try store(tenant), Self.allTrendTokens) { reading in
            let found = reading[TrendTokenRow.all].filter { $0.listedID.hasPrefix(id.lowercased()) }
            guard let old = found.first, !id.isEmpty else {
                throw AdminError.refused(
                    "There is no trends token \(id) in \(tenant). See all with: nephos trends token list \(tenant.asTyped)"
                )
            }
            guard found.count == 1 else {
                throw AdminError.refused("\(found.count) trends tokens begin with \(id). Pass more of the id.")
            }
            var writes = WriteSet()
            guard old.revokedAt == 0 else { return .write(writes, ()) }
            var new = old
            new.revokedAt = now
            writes.put(new, replacing: old)
            // Streams are authorized again when the catalog's version changes.
            writes.raisesCatalogVersion = true
            return .write(writes, ())
        }
    }

    private static var allTrendTokens: ReadSet {
        var set = ReadSet()
        set.ask(TrendTokenRow.all)
        return set
    }
}
