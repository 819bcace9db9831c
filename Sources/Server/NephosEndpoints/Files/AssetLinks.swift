import CloudKitWire
import NephosDomain
import NephosStorage

/// Makes the URLs through which files come and go. Their tokens stand in the query, so that no log has them, and need no
/// percent signs, since some clients escape those once more.
struct AssetLinks: Sendable {
    private let step: CloudKitResponder.Step

    /// Costs nothing: most answers have no files.
    init(_ step: CloudKitResponder.Step) { self.step = step }

    private var base: String {
        "\(step.call.publicURL)\(AssetPath.prefix)\(AssetPath.text(of: step.call.path.tenant))/"
    }

    /// `${f}` is for the name under which a client wants to have the file.
    func source(for row: RecordRow) -> AssetMembers.Source? {
        guard row.flags.contains(.assets) else { return nil }
        let base = base
        return step.context.assets(of: row) { "\(base)${f}?t=\($0)" }
    }

    func upload(_ ticket: UploadTicket) -> String {
        "\(base)\(AssetPath.upload)?t=\(ticket.sealed(key: step.context.catalog.head.signingKey))"
    }
}
