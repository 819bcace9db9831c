import NephosTesting

/// Replays all acknowledged writes, and compares every page with the database as it was at that moment.
struct FeedVerifier {
    /// Statistics of the pages, as evidence of what a run has tested.
    struct Tally: CustomStringConvertible {
        var commits = 0
        /// Number of times that the next commit was by another process.
        var turns = 0
        var pages = 0
        /// Pages after which a device was up to date.
        var copies = 0
        var absent = 0
        var expiredByPurge = 0
        var expiredByRecreation = 0

        static func += (sum: inout Tally, more: Tally) {
            sum.commits += more.commits
            sum.turns += more.turns
            sum.pages += more.pages
            sum.copies += more.copies
            sum.absent += more.absent
            sum.expiredByPurge += more.expiredByPurge
            sum.expiredByRecreation += more.expiredByRecreation
        }

        var description: String {
            """
            \(commits) commits in \(turns) turns; \(pages) pages, \(copies) at the end of a feed, \
            \(absent) of no zone; tokens expired: \(expiredByPurge) by a purge, \
            \(expiredByRecreation) by a new zone
            """
        }
    }

    private(set) var model: ModelDatabase
    private(set) var tally = Tally()
    private var commits: ArraySlice<(writer: Int, commit: JournalCommit)>
    /// Nothing deleted at this time or later was purged.
    private let purgedBefore: Int64

    /// - Parameters:
    ///   - start: The database's sequence number before the writers started.
    ///   - journals: One for each writer. Commit order is sequence order, so together they have one order.
    init(start: Int64, journals: [[JournalLine]]) {
        model = ModelDatabase(sequence: start)
        var commits: [(writer: Int, commit: JournalCommit)] = []
        var purgedBefore: Int64 = 0
        for (writer, journal) in journals.enumerated() {
            for line in journal {
                switch line {
                case .commit(let commit): commits.append((writer, commit))
                case .purge(let time): purgedBefore = max(purgedBefore, time)
                }
            }
        }
        self.purgedBefore = purgedBefore
        self.commits = commits.sorted { $0.commit.before < $1.commit.before }[...]
        tally.commits = commits.count
        tally.turns = zip(self.commits, self.commits.dropFirst()).count { $0.writer != $1.writer }
    }

    /// Checks a page. Pages must be passed in the order in which they were read. - Throws: ``Fault``.
    mutating func verify(_ observation: Observation) throws {
        try advance(to: observation.snapshot)
        guard let state = model.state(of: observation.feed) else {
            guard case .absent = observation.outcome else { throw Fault("there was no zone for \(observation)") }
            tally.absent += 1
            return
        }
        try verifyPurge(observation, state)
        let reason = Self.whyExpired(observation, state)
        switch observation.outcome {
        case .absent: throw Fault("there was a zone for \(observation)")
        case .expired:
            try expect(reason != nil, "there was no reason for a token to expire: \(observation)")
            if reason == .purge { tally.expiredByPurge += 1 } else { tally.expiredByRecreation += 1 }
        case .page(let page):
            try expect(reason == nil, "a token should have expired: \(observation)")
            try verify(page, observation, state)
            tally.pages += 1
        }
    }

    /// Applies the remaining commits. - Throws: ``Fault``.
    mutating func finish() throws { try advance(to: commits.last?.commit.after ?? model.sequence) }

    private mutating func advance(to snapshot: Int64) throws {
        try expect(snapshot >= model.sequence, "a snapshot at \(snapshot) came after one at \(model.sequence)")
        while let next = commits.first?.commit, next.after <= snapshot {
            try model.apply(next)
            commits.removeFirst()
        }
        try expect(snapshot == model.sequence, "a snapshot at \(snapshot) shows a part of a commit")
    }

    // MARK: Tokens

    private enum Reason { case purge, recreation }

    /// Why its token must have expired; nil if it must be valid.
    private static func whyExpired(_ observation: Observation, _ state: FeedState) -> Reason? {
        guard let from = observation.from else { return nil }
        if from.zone != state.zone { return .recreation }
        return observation.purged > max(from.sequence, from.base) ? .purge : nil
    }

    /// Only an existing deletion can have been purged, and only one that a writer asked the store to purge.
    private func verifyPurge(_ observation: Observation, _ state: FeedState) throws {
        guard observation.purged != 0 else { return }
        guard let deletedAt = state.deletions[observation.purged], deletedAt < purgedBefore else {
            throw Fault("nothing was purged at \(observation.purged): \(observation)")
        }
    }

    // MARK: Pages

    private mutating func verify(_ page: Observation.Page, _ observation: Observation, _ state: FeedState) throws {
        let bound = observation.from?.sequence ?? 0
        // A client that starts from nothing needs no tombstones.
        let base = observation.from?.base ?? .max
        let rest = state.entries.filter { $0.sequence > bound && ($0.item.state != nil || $0.sequence > base) }
        let expected = rest.prefix(observation.limit)
        try expect(
            page.items == expected.map(\.item), "a page should hold \(expected.map(\.item)): \(observation)")
        try expect(page.more == (rest.count > expected.count), "a page is wrong about its end: \(observation)")
        try verify(
            page.next, observation, state, after: expected.last?.sequence ?? bound,
            before: rest.dropFirst(expected.count).first?.sequence ?? observation.snapshot + 1)
        if let copy = observation.copy {
            try expect(copy == state.copy, "a device should hold \(state.copy): \(observation)")
            tally.copies += 1
        }
    }

    /// The next token skips nothing, and does not go backward.
    private func verify(
        _ next: Place, _ observation: Observation, _ state: FeedState, after last: Int64, before unseen: Int64
    ) throws {
        try expect(
            next.zone == state.zone && next.sequence >= last && next.sequence < unseen,
            "the next page should begin between \(last) and \(unseen): \(observation)")
        let base =
            observation.from.map { $0.base...$0.base }
            ?? (state.entries.last?.sequence ?? 0)...observation.snapshot
        try expect(base.contains(next.base), "the next token should be based in \(base): \(observation)")
    }
}
