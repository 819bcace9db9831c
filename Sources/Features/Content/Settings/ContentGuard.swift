import NephosDomain
import NephosRunner
import NephosStorage

extension SectionGuard {
    /// Has a server note when records begin and end.
    static let content = SectionGuard(
        of: Content.name,
        settle: { move throws(AdminError) in
            // Records saved before their type was content begin and end, too. A server schedules that.
            let now = move.administration.inputs.now()
            try await move.administration.commit(to: move.store, ReadSet()) { _ in
                var set = WriteSet()
                set.ask(for: Content.name, at: now)
                set.ask(for: Content.picks, at: now)
                return .write(set, ())
            }
        })
}
