import CloudKitWire
import Synchronization

/// The description of a table, from which every engine derives its statements (docs/decisions/0020).
public final class Table: Sendable {
    /// The owner of a row.
    public enum Owner: Sendable, Hashable {
        /// A database: the first column is `db`.
        case database
        /// A tenant.
        case tenant
        /// The installation: the table is in the directory (``DirectoryStore``).
        case installation
    }

    /// The name of the table in every store.
    public let name: String
    /// Whose its rows are.
    public let owner: Owner
    /// In the order in which they are stored.
    public let columns: [Column]
    /// Names of the columns that identify a row. They are the first of ``columns``.
    public let key: [String]
    /// The indexes by which its rows are found, beside the key.
    public let indexes: [Index]
    /// Whether heads count its rows, so that a writer must hold the head of its database, and missing rows are detected. In
    /// other tables a check finds only rows that were changed.
    public let isCounted: Bool
    /// Whether a row is changed and removed only if it is still as it was read. Not for tables whose damaged rows must be
    /// removable like any other: entries of logs, indexes, and the use of credentials.
    public let isGuarded: Bool
    /// The column that names the person whose row it is; nil if there is none. In tables of a tenant or a database it
    /// contains the id of the user, in those of the installation the id of the account. All rows of a person who leaves are
    /// removed (docs/decisions/0051), in every table.
    public let person: String?
    /// The column with the email address of a person, who may have no account yet; nil if there is none. Only in tables of the installation.
    public let address: String?
    /// Columns that are never given out, not even to the person whose row it is (docs/people.md): the values that proofs of
    /// identity are checked against, and numbers of other people's databases, which count what happens there.
    package let withheld: [String]
    /// Whether rows are stored in the home database of their user: the private one, or the public one for a server key.
    public let isAtHome: Bool
    /// The row of another table with which a row is removed; nil if there is none.
    public let parent: Parent?
    /// Groups of columns that were added after the table was created, in the order in which they were added.
    package let laterColumns: [[Column]]
    /// Whether a row may have a ``Secret``.
    package let hasSecrets: Bool
    let hashing: TableHash
    /// Identifies the table in this process.
    package let number: Int

    /// Describes a table. An error in the description ends the program.
    ///
    /// - Parameters:
    ///   - row: Provides the columns.
    ///   - checksum: What is hashed into the checksum of a row.
    public init(
        of row: (some StoredRow).Type, _ name: String, _ owner: Owner, key: [String], indexes: [Index] = [],
        isCounted: Bool = false, isGuarded: Bool = true, person: String? = nil, address: String? = nil,
        withheld: [String] = [], isAtHome: Bool = false, parent: Parent? = nil,
        checksum: Checksumming = .columns()
    ) {
        var description = ColumnDescription()
        row.sample.visit(&description)
        self.name = name
        self.owner = owner
        self.key = key
        self.indexes = indexes
        self.isCounted = isCounted
        self.isGuarded = isGuarded
        self.person = person
        self.address = address
        self.withheld = withheld
        self.isAtHome = isAtHome
        self.parent = parent
        columns = description.columns
        if case .columns(let later) = checksum {
            laterColumns = later.map { names in description.columns.filter { names.contains($0.name) } }
        } else {
            laterColumns = []
        }
        hasSecrets = description.columns.contains(where: \.isSealed)
        precondition(columns.prefix(key.count).map(\.name) == key, "\(name): the key must be the first columns")
        hashing = checksum.order(of: description.columns, table: name)
        number = Self.count.add(1, ordering: .relaxed).newValue
        precondition(
            person.map { isFound(by: $0) } ?? true && address.map { isFound(by: $0) } ?? true,
            "\(name): an index or the key must begin with the person, and one with the address")
    }

    private static let count = Atomic<Int>(0)

    /// An index by whose columns rows are found and ordered.
    public struct Index: Sendable {
        /// The name of the index in every store.
        public let name: String
        /// If `db` is not the first of them, the index covers all databases of a tenant.
        public let columns: [String]
        /// Whether no two rows have the same values in its columns.
        public let isUnique: Bool
        /// SQL that is true for the rows in the index; nil for all.
        package let condition: String?
        /// Whether there is an index of this name in engines with one file per tenant. If not, the key serves as well, or a
        /// constraint has created one.
        package let isNamedInFiles: Bool

        /// Creates an index over these columns.
        public init(_ name: String, _ columns: [String], isUnique: Bool = false) {
            self.init(name, columns, isUnique: isUnique, where: nil)
        }

        init(
            _ name: String, _ columns: [String], isUnique: Bool = false, where condition: String? = nil,
            isNamedInFiles: Bool = true
        ) {
            self.name = name
            self.columns = columns
            self.isUnique = isUnique
            self.condition = condition
            self.isNamedInFiles = isNamedInFiles
        }
    }

    /// A row of another table with which rows are removed.
    public struct Parent: Sendable {
        /// The name of the table that the row is in.
        public let table: String
        /// The columns of its key, and other columns that must be equal.
        public let columns: [String]
        /// The corresponding columns of this table, in the order of ``columns``.
        public let own: [String]

        /// Names the row with which rows go.
        ///
        /// - Parameters:
        ///   - key: The columns of its key, each with the column of this table.
        ///   - same: Columns of the same name that must be equal, in addition to the key.
        public init(_ table: String, _ key: KeyValuePairs<String, String>, same: [String] = []) {
            self.table = table
            columns = key.map(\.key) + same
            own = key.map(\.value) + same
        }
    }

    /// What is hashed into the checksum of a row.
    public enum Checksumming: Sendable {
        /// The name of the table and all columns in order. Columns in `later` are hashed only if a column of their group is
        /// not 0 or empty: they were added when rows existed already, each group by its own migration step (``Table/steps``).
        case columns(later: [[String]] = [])
        /// An optional tag, and these columns in this order, without the name: for tables that are older than derived checksums.
        case frozen([String], later: [[String]] = [], tag: Int64? = nil)

        fileprivate func order(of columns: [Column], table: String) -> TableHash {
            func places(_ names: [String]) -> [Int] {
                names.map { name in
                    guard let place = columns.firstIndex(where: { $0.name == name }) else {
                        preconditionFailure("\(table): there is no column \(name)")
                    }
                    return place
                }
            }
            return switch self {
            case .columns(let later):
                TableHash(
                    start: .name(table), columns: columns.indices.filter { !later.joined().contains(columns[$0].name) },
                    later: later.map(places), count: columns.count)
            case .frozen(let names, let later, let tag):
                TableHash(
                    start: tag.map { .tag($0) } ?? .nothing, columns: places(names), later: later.map(places),
                    count: columns.count)
            }
        }
    }

    /// The columns of an index, or of the key for nil.
    package func columns(of index: Index?) -> [Column] {
        guard let index else { return Array(columns.prefix(key.count)) }
        return index.columns.compactMap { name in columns.first { $0.name == name } }
    }
}

/// Collects the columns of a table.
private struct ColumnDescription: Columns {
    var columns: [Column] = []

    mutating func database(_ number: inout DatabaseNumber) { add("db", .database) }
    mutating func int(_ column: String, _ value: inout Int64) { add(column, .int) }
    mutating func user(_ column: String, _ value: inout UserID) { add(column, .user) }
    mutating func text(_ column: String, _ value: inout String) { add(column, .text) }
    mutating func utf8(_ column: String, _ value: inout Bytes) { add(column, .utf8) }
    mutating func bytes(_ column: String, _ value: inout [UInt8]) { add(column, .bytes) }

    mutating func sealed(_ column: String, _ value: inout Secret) {
        columns.append(Column(name: column, kind: .bytes, isSealed: true))
    }
    mutating func sealedText(_ column: String, _ value: inout Secret) {
        columns.append(Column(name: column, kind: .text, isSealed: true))
    }

    private var isOptional = false

    /// No column is skipped: visiting it shows its kind.
    mutating func skips(_ isNothing: Bool) -> Bool {
        isOptional = true
        return false
    }

    private mutating func add(_ name: String, _ kind: ColumnKind) {
        columns.append(Column(name: name, kind: kind, isOptional: isOptional))
        isOptional = false
    }
}
