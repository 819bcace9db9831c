import Foundation
import Testing

@testable import NephosPostgres

/// A statement that spans databases, and the reason why it may.
struct AcrossDatabases: Sendable, CustomTestStringConvertible {
    enum Kind {
        /// Searches for work without a lock. The work itself locks, reads and changes it database by database.
        case find
        /// Reads a whole tenant, for an operator.
        case whole
        /// Generated from the description of a table, or about a table that is not described yet.
        case described
    }

    let kind: Kind
    /// The statement on one line, with `…` for irrelevant parts.
    let text: String
    let why: String

    private init(_ kind: Kind, _ text: String, _ why: String) {
        self.kind = kind
        self.text = text
        self.why = why
    }

    var testDescription: String { text }

    func covers(_ plan: StatementPlan) -> Bool {
        guard kind == .described || !plan.isWriting else { return false }
        var rest = plan.sql.oneLine[...]
        for part in text.components(separatedBy: "…") {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }

    static let list = finds + whole + described

    private static let finds = [
        AcrossDatabases(
            .find, "SELECT db, index_no FROM indexes WHERE … AND db >= $1 AND db < $2", "indexes to build or clear"),
        AcrossDatabases(.find, "SELECT db, zone_no FROM zones WHERE state = 1", "a dead zone of which all was told"),
        AcrossDatabases(.find, "SELECT db FROM zones WHERE state = 1", "whether there is another"),
        AcrossDatabases(.find, "SELECT db, zone_no FROM zones WHERE state = 2", "zones to forget, the oldest first"),
        AcrossDatabases(.find, "SELECT db, zone_no, max(seq), count(*) FROM ( SELECT", "tombstones to forget"),
        AcrossDatabases(.find, "SELECT db, record_no FROM trash WHERE db >> 40 = $1", "trash to forget"),
        AcrossDatabases(.find, "SELECT db, address FROM assets WHERE db >> 40 = $1", "files to forget"),
        AcrossDatabases(
            .find, "FROM heads WHERE has_annex = 1 AND kind = $1 AND db > $2 AND db < $3", "what features keep in heads"
        ),
        AcrossDatabases(.find, "SELECT CAST(1 AS bigint) FROM zones WHERE state = 1", "whether a sweep is due"),
        AcrossDatabases(
            .find, "SELECT CAST(1 AS bigint) FROM indexes WHERE state <> 1", "whether indexes are to be built"),
        AcrossDatabases(.find, "SELECT deleted_at FROM …db >> 40 = $1", "when a purge is due"),
        AcrossDatabases(.find, "SELECT released_at FROM assets WHERE db >> 40 = $1", "when files are to go"),
        AcrossDatabases(
            .find, "SELECT db, count(*) FROM ( SELECT db FROM … ) AS found GROUP BY db", "rows of deleted containers"),
        AcrossDatabases(
            .find, "SELECT 1::bigint FROM … WHERE db >= $1 AND db < $2 LIMIT 1", "whether some are left of them"),
        AcrossDatabases(
            .find, "SELECT t.db, t.topic, t.number FROM news AS t WHERE t.db = ANY($1)", "what was posted"),
    ]

    private static let whole = [
        AcrossDatabases(
            .whole, "SELECT count(*) FROM … WHERE db >= $1 AND db < $2", "the check counts what it will read"),
        AcrossDatabases(.whole, "WHERE db < $1 AND … LIMIT 500", "the check reads a table page by page"),
        AcrossDatabases(.whole, "FROM heads AS o … FROM users WHERE tenant = $1 … LIMIT 500", "the check of users"),
        AcrossDatabases(.whole, "SELECT nonce >> 40, sum(", "how much each person uploaded that no record holds"),
    ]

    private static let described = [
        AcrossDatabases(.described, "SELECT t.db, … AS t WHERE t.db >> 40 = $1", "scans by an index of all databases"),
        AcrossDatabases(.described, "SELECT t.db, … AS t WHERE t.db >= $1 AND t.db < $2", "scans of a tenant"),
    ]
}
