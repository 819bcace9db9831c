package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Makes the URLs through which files come and go. Their tokens stand in the query, so that no log has them, and need no
/// percent signs, since some clients escape those once more.
package struct AssetLinks: Sendable {
    private let call: AdmittedCall

    /// Costs nothing: most answers have no files.
    package init(_ call: AdmittedCall) { self.call = call }

    private var base: String {
        "\(call.publicURL)\(FilePath.prefix)\(FilePath.text(of: call.tenant))/"
    }

    /// `${f}` is for the name under which a client wants to have the file.
    package func source(for row: RecordRow) -> AssetMembers.Source? {
        guard row.flags.contains(.assets) else { return nil }
        let base = base
        return call.context.assets(of: row) { "\(base)${f}?t=\($0)" }
    }

    package func upload(_ ticket: UploadTicket) -> String {
        "\(base)\(FilePath.upload)?t=\(ticket.sealed(key: call.context.catalog.head.signingKey))"
    }
}
