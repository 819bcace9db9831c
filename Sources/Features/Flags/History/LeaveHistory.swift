import NephosDomain
import NephosRunner
import NephosStorage

extension LeavingPerson {
    /// Removes the name of a person who leaves from the history of flags. The versions stay, so that an operator can go back to
    /// them.
    func leaveFlagHistory() async throws {
        try await forEach(of: FlagChangeRow.self) {
            [.database($0.database), .name($0.flag), .int($0.version)]
        } author: {
            $0.author
        } body: { theirs in
            let leave = LeaveHistory(theirs: theirs)
            try await worker.runner.commit(leave.reading, to: store, decide: leave.decide)
            try await keep()
        }
    }
}

/// Replaces an author by a neutral text.
private struct LeaveHistory: Sendable {
    static let nobody = "somebody who has left"

    let theirs: Scan<FlagChangeRow>

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Flags.database]
        set.ask(theirs)
        return set
    }

    func decide(_ reading: Reading) -> Decision<Void> {
        var writes = WriteSet()
        for old in reading[theirs] where old.author != Self.nobody {
            var new = old
            new.author = Self.nobody
            writes.put(new, replacing: old)
        }
        return .write(writes, ())
    }
}
