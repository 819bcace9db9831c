/// What a check found so far.
///
/// Engines read the rows in their own way; the findings about a row are the same for all of them.
package struct Findings {
    /// The maximum length of the list: more findings are not useful.
    private let limit = 1_000
    package private(set) var list: [CheckFinding] = []

    package init() {}

    package mutating func add(_ table: String, _ what: String) {
        if list.count < limit { list.append(CheckFinding(table: table, what: what)) }
        if list.count == limit { list.append(CheckFinding(table: table, what: "and more: the list is cut here")) }
    }

    /// Adds a finding unless `holds`.
    package mutating func expect(_ holds: Bool, _ table: String, _ what: @autoclosure () -> String) {
        if !holds { add(table, what()) }
    }
}
