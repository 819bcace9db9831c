import Foundation
import NephosStorage

@testable import NephosPostgres

/// How PostgreSQL executes one statement, regardless of its values: what can be determined about the databases that it accesses.
struct StatementPlan: Sendable {
    let sql: String
    /// The parts that do not name one database as a value; empty for a statement without such parts.
    private(set) var faults: [String] = []
    /// It locks or changes rows of tables with a column `db`.
    private(set) var isWriting = false
    private var named: Set<String> = []

    /// - Parameter tables: The tables with a column `db`.
    init(_ sql: String, _ plan: [String: Any], tables: Set<String>) {
        self.sql = sql
        var scans: [String: String] = [:]
        walk(plan, tables, &scans)
        if named.count > 1 { faults.append("names several: \(named.sorted().joined(separator: ", "))") }
    }

    private mutating func walk(_ node: [String: Any], _ tables: Set<String>, _ scans: inout [String: String]) {
        let inner = node["Plans"] as? [[String: Any]] ?? []
        for node in inner { walk(node, tables, &scans) }
        let type = node["Node Type"] as? String ?? ""
        if type == "LockRows" { isWriting = isWriting || !scans.isEmpty }
        guard let table = node["Relation Name"] as? String, tables.contains(table) else { return }
        if type == "ModifyTable" {
            isWriting = true
            if node["Operation"] as? String == "Insert" { judgeInsertion(into: table, inner.first, scans) }
        } else {
            let conditions = ["Index Cond", "Recheck Cond", "Filter"].compactMap { node[$0] as? String }
            guard let parameter = conditions.lazy.flatMap(conjuncts).compactMap(Self.database).first else {
                faults.append("\(type) of \(table): \(conditions.joined(separator: "; "))")
                return
            }
            named.insert(parameter)
            scans[node["Alias"] as? String ?? table] = parameter
        }
    }

    /// The column `db` is the first of every table; its value must come from a parameter, or from a row chosen by one.
    private mutating func judgeInsertion(
        into table: String, _ source: [String: Any]?, _ scans: [String: String]
    ) {
        let value = (source?["Output"] as? [String])?.first ?? ""
        let alias = value.hasSuffix(".db") ? String(value.dropLast(3)) : nil
        if let parameter = Self.parameter(value) ?? alias.flatMap({ scans[$0] }) {
            named.insert(parameter)
        } else {
            faults.append("inserts into \(table): \(value)")
        }
    }

    // MARK: Conditions

    /// The parameter with which a condition compares `db`.
    private static func database(_ condition: String) -> String? {
        let sides = condition.components(separatedBy: " = ")
        guard sides.count == 2 else { return nil }
        for (column, value) in [(sides[0], sides[1]), (sides[1], sides[0])]
        where column == "db" || column.hasSuffix(".db") {
            if let parameter = parameter(value) { return parameter }
        }
        return nil
    }

    /// Parameters of statements have three digits here; those that a plan passes between its parts have fewer.
    private static func parameter(_ text: String) -> String? {
        let digits = text.dropFirst()
        return text.first == "$" && digits.count == 3 && digits.allSatisfy(\.isNumber) ? text : nil
    }
}

/// The parts of a conjunction: `((a = b) AND (c > d))`.
private func conjuncts(_ condition: String) -> [String] {
    var parts: [String] = [""]
    var depth = 0
    let text = withoutParentheses(condition)
    var rest = text[...]
    while let character = rest.first {
        if depth == 0, rest.hasPrefix(" AND ") {
            parts.append("")
            rest = rest.dropFirst(5)
            continue
        }
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        parts[parts.count - 1].append(character)
        rest = rest.dropFirst()
    }
    return parts.map(withoutParentheses)
}

/// Without the pair of parentheses around the whole text.
private func withoutParentheses(_ text: String) -> String {
    guard text.hasPrefix("("), text.hasSuffix(")") else { return text }
    var depth = 0
    for (offset, character) in text.enumerated() {
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        if depth == 0, offset < text.count - 1 { return text }
    }
    return String(text.dropFirst().dropLast())
}

extension StatementPlan {
    /// The plans of statements. The parameters of each are numbered from 101 here, to distinguish them from those that a plan
    /// passes between its parts.
    static func all(of statements: [String], on connection: Connection) throws -> [StatementPlan] {
        let named = try rows(
            """
            SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND column_name = 'db'
            """, connection)
        let tables = Set(try named.map { $0.string(0) })
        return try statements.map { sql in
            let count = sql.parameters.max() ?? 0
            let types = Array(repeating: "int", count: 100) + Array(repeating: "unknown", count: count)
            let values = Array(repeating: "NULL", count: 100 + count).joined(separator: ", ")
            try rows("PREPARE explained (\(types.joined(separator: ", "))) AS \(sql.numberedFrom101)", connection)
            let answer = try rows("EXPLAIN (FORMAT JSON, VERBOSE) EXECUTE explained (\(values))", connection)
            try rows("DEALLOCATE explained", connection)
            let json = try JSONSerialization.jsonObject(with: Data((answer.first?.string(0) ?? "").utf8))
            let plan = (json as? [[String: Any]])?.first?["Plan"] as? [String: Any]
            return StatementPlan(sql, plan ?? [:], tables: tables)
        }
    }

    @discardableResult
    private static func rows(_ sql: String, _ connection: Connection) throws -> Rows {
        guard let rows = try connection.run([Call(Statement(sql))]).first else {
            throw StorageError.failed("a statement has no answer")
        }
        return rows
    }
}

extension String {
    fileprivate var parameters: [Int] { matches(of: #/\$(\d+)/#).compactMap { Int($0.output.1) } }

    fileprivate var numberedFrom101: String {
        replacing(#/\$(\d+)/#) { "$\(100 + (Int($0.output.1) ?? 0))" }
    }

    /// With one space between words.
    var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
