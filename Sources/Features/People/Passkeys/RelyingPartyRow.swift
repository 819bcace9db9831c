import NephosRunner
import NephosStorage

/// The relying party of all passkeys of an installation (table `relying_parties`): one row, from the first passkey on.
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
    /// Refuses to serve with another than the stored passkeys are of, which nobody could use. May wait.
    ///
    /// - Parameter party: nil where a server has none.
    /// - Throws: ``AdminError/refused(_:)``.
    static func check(_ party: RelyingParty?, by directory: any DirectoryStore) throws(AdminError) {
        let stored: RelyingPartyRow?
        do {
            let hasPasskeys = try !directory.rows(SignInMethodRow.anyPasskey).isEmpty
            stored = hasPasskeys ? try directory.rows(RelyingPartyRow.all).first : nil
        } catch { throw AdminError(error) }
        guard let stored, stored.host != party?.host else { return }
        throw .refused(
            "People have passkeys for \(stored.host), which nobody could use with \(party?.host ?? "no host at all"). Serve at that host "
                + "or below it, with --relying-party \(stored.host); or give them up with: nephos account drop-passkeys"
        )
    }
}
