package import CloudKitWire
package import NephosDomain
package import NephosStorage

/// Creates the URLs for uploads and downloads of files. Their tokens are in the query, so that no log contains them, and need no
/// percent signs, because some clients escape those again.
package struct AssetLinks: Sendable {
    private let call: AdmittedCall

    /// Cheap: most responses have no files.
    package init(_ call: AdmittedCall) { self.call = call }

    private var base: String {
        "\(call.publicURL)\(FilePath.prefix)\(FilePath.text(of: call.tenant))/"
    }

    /// `${f}` is a placeholder for the file name that the client chooses.
    package func source(for row: RecordRow) -> AssetMembers.Source? {
        guard row.flags.contains(.assets) else { return nil }
        let base = base
        return call.context.assets(of: row) { "\(base)${f}?t=\($0)" }
    }

    package func upload(_ ticket: UploadTicket) -> String {
        "\(base)\(FilePath.upload)?t=\(ticket.sealed(key: call.context.catalog.head.signingKey))"
    }
}
