import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// An access that is about to happen, and the row that records it: it is written in the transaction that permits the access.
struct NewAccess: Sendable {
    /// The minimum time that accesses are kept; older ones are removed when a new one is recorded.
    static let kept: Milliseconds = 180 * 86_400_000
    /// In bytes.
    static let reasonMax = 1_000

    let kind: AccessRow.Kind
    /// As ``AccessRow/who``.
    let who: String
    /// The reason of an operator who has no permission; empty for none.
    var reason = ""
    /// Whether the person's permission is required: they have signed in themselves, in an environment that serves an app's
    /// people.
    var isProtected = false
    /// 8 random bytes.
    let id: [UInt8]
    let now: Milliseconds

    enum Outcome {
        case noted(Noted)
        /// There is no permission, and no reason was given.
        case refused
        case need(ReadSet)
    }

    /// What is written for an access.
    struct Noted {
        let row: AccessRow
        /// When the grant that permits the access ends; nil if there is none, or if none is required.
        let until: Milliseconds?
        fileprivate let over: [AccessRow]

        func write(to writes: inout WriteSet) {
            writes.put(row)
            for row in over { writes.remove(row) }
        }
    }

    /// Decides whether the access is permitted, and what is written then.
    func decide(about user: UserID, _ reading: Reading) -> Outcome {
        let (grants, oldest) = (AccessRow.grants(of: user), AccessRow.oldest(of: user))
        guard let given = reading.rows(of: grants), let old = reading.rows(of: oldest) else {
            var more = ReadSet()
            more.ask(grants)
            more.ask(oldest)
            return .need(more)
        }
        let open = given.first { now < $0.until }
        guard !isProtected || open != nil || !reason.isEmpty else { return .refused }
        let row = AccessRow(
            user: user, at: now, id: id, kind: kind, who: who, reason: reason,
            // An operator still knows the password they set after their permission ends.
            isUnannounced: isProtected && (open == nil || kind == .password))
        // Grants last only days, so no valid grant is among these.
        let over = old.filter { $0.at < now - Self.kept && !$0.isUnannounced }
        return .noted(Noted(row: row, until: isProtected ? open?.until : nil, over: over))
    }
}
