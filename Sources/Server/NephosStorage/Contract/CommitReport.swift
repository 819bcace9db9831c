/// What one transaction of an engine's writers carried.
public struct CommitReport: Sendable, Equatable {
    /// Commits that shared it.
    public var commits: Int
    /// Rows that they touched (``WriteSet/rows``).
    public var rows: Int
    /// Entries of indexes that they touched. In commits of few rows and entries an upper bound.
    public var entries: Int

    /// Creates a report; without arguments, that of a transaction that carried nothing.
    public init(commits: Int = 0, rows: Int = 0, entries: Int = 0) {
        self.commits = commits
        self.rows = rows
        self.entries = entries
    }

    package static func += (left: inout Self, right: Self) {
        left.commits += right.commits
        left.rows += right.rows
        left.entries += right.entries
    }
}
