import NephosDomain
import NephosRunner
import NephosStorage

extension SectionGuard {
    /// Has a server note when messages begin and end, and follow the mirror.
    static let messages = SectionGuard(
        of: Messages.name,
        settle: { move throws(AdminError) in
            // Records saved before their type was the type of messages have due times, too. A server records them.
            let now = move.administration.inputs.now()
            try await move.administration.commit(to: move.store, ReadSet()) { _ in
                var set = WriteSet()
                set.ask(for: Messages.name, at: now)
                set.ask(for: FollowMirror.job, at: now)
                set.ask(for: ForgetSeen.job, at: now)
                return .write(set, ())
            }
        })
}
