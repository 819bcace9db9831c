import NephosDomain
import NephosRunner
import NephosStorage

/// An access to trends. A server key has both.
enum TrendAccess: Sendable {
    /// Reads figures, and moves a viewer's mark.
    case reads
    /// Imports figures.
    case imports
}

extension AdmittedCall {
    /// Requires a server key, or a token that was created for this access. A refusal reveals nothing of the container. Every
    /// endpoint of trends calls this first.
    ///
    /// - Throws: ``Refusal/accessDenied(_:)``, and ``Refusal/badRequest(_:)`` for an address that cannot be read.
    func trendAccess(_ wanted: TrendAccess) throws(Refusal) {
        try mayReach(wanted)
        let target = call.request.target
        guard !target.utf8.contains(UInt8(ascii: "%")) || !RequestQuery.hasUnreadable(in: target) else {
            throw .badRequest("a value in the address is not percent-encoded UTF-8")
        }
    }

    private func mayReach(_ wanted: TrendAccess) throws(Refusal) {
        if let token = bearer?.token as? TrendTokenRow {
            switch (wanted, token.isImport) {
            case (.reads, false), (.imports, true): return
            case (.reads, true):
                throw .accessDenied(
                    "this token imports figures and cannot read them: send one that was created without --import")
            case (.imports, false):
                throw .accessDenied(
                    "this token reads figures and cannot import them: send one that was created with --import")
            }
        }
        guard case .serverKey = context.caller else {
            throw .accessDenied(
                "trends are for operators of the container: send a token from nephos trends token create as Authorization: Bearer, "
                    + "or sign the request with a server key")
        }
    }
}

extension BearerTokens {
    /// Bearer tokens of ``TrendToken``.
    static let trends = BearerTokens(
        unknown:
            "Authentication failed: this is not a trends token of this container and environment, or it was revoked",
        missing:
            "no token found: send one from nephos trends token create as Authorization: Bearer, or sign the request with a server key",
        reading: { text in
            guard let token = TrendToken(text) else { return nil }
            var set = ReadSet()
            set.ask(TrendTokenRow.keyed(token.id))
            return set
        },
        authenticate: { text, reading in
            guard let token = TrendToken(text), let row = reading[TrendTokenRow.keyed(token.id)].first,
                token.hasHash(row.hash), row.revokedAt == 0
            else { return nil }
            return Bearer(row, use: row.use)
        })
}
