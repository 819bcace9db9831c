/// What a check found so far.
///
/// Engines read the rows in their own way; what is to be said of a row is the same for all of them.
package struct Findings {
    /// A store that is wrong everywhere needs no longer list than this.
    private let limit = 1_000
    package private(set) var list: [CheckFinding] = []

    package init() {}

    package mutating func add(_ table: String, _ what: String) {
        if list.count < limit { list.append(CheckFinding(table: table, what: what)) }
        if list.count == limit { list.append(CheckFinding(table: table, what: "and more: the list ends here")) }
    }

    /// Adds a finding unless `holds`.
    package mutating func expect(_ holds: Bool, _ table: String, _ what: @autoclosure () -> String) {
        if !holds { add(table, what()) }
    }
}
