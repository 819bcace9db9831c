import CloudKitWire
import NephosDomain
import NephosStorage

/// Makes the URLs through which files come and go. Their tokens stand in the query, so that no log has them, and need no
/// percent signs, since some clients escape those once more.
struct AssetLinks: Sendable {
    private let context: RequestContext
    private let base: String

    init(_ step: CloudKitResponder.Step) {
        context = step.context
        base = "\(step.call.publicURL)\(AssetPath.prefix)\(AssetPath.text(of: step.call.path.tenant))/"
    }

    /// `${f}` is for the name under which a client wants to have the file.
    func source(for row: RecordRow) -> AssetMembers.Source? {
        guard row.flags.contains(.assets) else { return nil }
        let base = base
        return context.assets(of: row) { "\(base)${f}?t=\($0)" }
    }

    func upload(_ ticket: UploadTicket) -> String {
        "\(base)\(AssetPath.upload)?t=\(ticket.sealed(key: context.catalog.head.signingKey))"
    }
}
