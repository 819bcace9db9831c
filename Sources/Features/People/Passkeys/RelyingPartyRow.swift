import NephosRunner
import NephosStorage

/// The relying party of all passkeys of an installation (table `relying_parties`): a single row, created with the first passkey.
struct RelyingPartyRow: Sendable, Equatable {
    var host: String
}

extension RelyingPartyRow: StoredRow {
    static let table = Table(of: Self.self, "relying_parties", .installation, key: ["host"], isCounted: true)
    static let sample = RelyingPartyRow(host: "")

    mutating func columns(_ columns: inout some Columns) throws(StorageError) { try columns.text("host", &host) }

    static let all = Scan<Self>(limit: 2)
}

extension RelyingParty {
    /// Refuses to serve with a relying party that differs from that of the stored passkeys, because nobody could use them. May
    /// block.
    ///
    /// - Parameter party: nil if the server has none.
    /// - Throws: ``AdminError/refused(_:)``.
    static func check(_ party: RelyingParty?, by directory: any DirectoryStore) throws(AdminError) {
        let stored: RelyingPartyRow?
        do {
            let hasPasskeys = try !directory.rows(SignInMethodRow.anyPasskey).isEmpty
            stored = hasPasskeys ? try directory.rows(RelyingPartyRow.all).first : nil
        } catch { throw AdminError(error) }
        guard let stored, stored.host != party?.host else { return }
        throw .refused(
            "People have passkeys for \(stored.host), which do not work with \(party?.host ?? "a server without a name"). Serve at "
                + "\(stored.host) or a host below it, with --relying-party \(stored.host); or remove them with: nephos account drop-passkeys"
        )
    }
}
