/// The size of one transaction of an engine's writers.
public struct CommitReport: Sendable, Equatable {
    /// The number of commits that shared the transaction.
    public var commits: Int
    /// The number of rows that they touched (``WriteSet/rows``).
    public var rows: Int
    /// The number of index entries that they touched: an upper bound in commits of few rows and entries.
    public var entries: Int
    /// The members of lists and the words that were examined to find these entries, and the comparisons between them; 0 in
    /// commits of few rows and entries. Writing the entries takes as many again.
    public var steps: Int
    /// How many of the record changes of a commit that is too large, from the first one on, are known not to be too many together; 0 if
    /// that is not known. Deletions come first.
    public var fitting = 0

    /// Creates a report; without arguments, that of an empty transaction.
    public init(commits: Int = 0, rows: Int = 0, entries: Int = 0, steps: Int = 0) {
        self.commits = commits
        self.rows = rows
        self.entries = entries
        self.steps = steps
    }

    /// Whether it is above ``commitRowsMax`` or ``commitStepsMax``.
    public var isTooLarge: Bool { rows + entries > commitRowsMax || steps > commitStepsMax }

    package static func += (left: inout Self, right: Self) {
        left.commits += right.commits
        left.rows += right.rows
        left.entries += right.entries
        left.steps += right.steps
    }
}
