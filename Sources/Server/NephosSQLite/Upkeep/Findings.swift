import NephosStorage

/// What a check found so far, and how far it came.
struct Findings {
    /// A file that is wrong everywhere needs no longer list than this.
    private let limit = 1_000
    private(set) var list: [CheckFinding] = []

    mutating func add(_ table: String, _ what: String) {
        if list.count < limit { list.append(CheckFinding(table: table, what: what)) }
        if list.count == limit { list.append(CheckFinding(table: table, what: "and more: the list ends here")) }
    }

    /// Adds a finding unless `holds`.
    mutating func expect(_ holds: Bool, _ table: String, _ what: @autoclosure () -> String) {
        if !holds { add(table, what()) }
    }
}
