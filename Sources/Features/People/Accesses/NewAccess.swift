import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Somebody other than its person who is about to be let in, and the row that says so: it is written in the transaction that lets them in.
struct NewAccess: Sendable {
    /// For so long it is on record at least; what is older goes when there is something new.
    static let kept: Milliseconds = 180 * 86_400_000
    /// Bytes.
    static let reasonMax = 1_000

    let kind: AccessRow.Kind
    /// As ``AccessRow/who``.
    let who: String
    /// What an operator says where nobody lets them in; empty for nothing.
    var reason = ""
    /// Whether their person has to let them in: they have signed in themselves, where an app serves its people.
    var isProtected = false
    /// 8 random bytes.
    let id: [UInt8]
    let now: Milliseconds

    enum Outcome {
        case noted(Noted)
        /// Nobody has let them in, and they gave no reason.
        case refused
        case need(ReadSet)
    }

    /// What is written where they are let in.
    struct Noted {
        let row: AccessRow
        /// When the grant ends by which they are in; nil where there is none, or need be none.
        let until: Milliseconds?
        fileprivate let over: [AccessRow]

        func write(to writes: inout WriteSet) {
            writes.put(row)
            for row in over { writes.remove(row) }
        }
    }

    /// Whether they may, and what is written then.
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
            // Another password is known to whoever set it for longer than they were let in.
            isUntold: isProtected && (open == nil || kind == .password))
        // Grants last days: none that holds is among these.
        let over = old.filter { $0.at < now - Self.kept && !$0.isUntold }
        return .noted(Noted(row: row, until: isProtected ? open?.until : nil, over: over))
    }
}
