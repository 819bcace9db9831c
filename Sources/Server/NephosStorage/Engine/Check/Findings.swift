/// The list of everything that a check has found so far.
///
/// Each engine reads rows in its own way; the findings about a row are the same for all engines.
package struct Findings {
    /// The maximum number of findings in the list, to which a note is then added: more are not useful.
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
