import CloudKitWire
import Synchronization

/// What there is to know of a table: every engine derives its statements from it (docs/decisions/0020).
public final class Table: Sendable {
    /// Whose a row is.
    public enum Owner: Sendable, Hashable {
        /// Of a database: the first column is `db`.
        case database
        /// Of a tenant.
        case tenant
        /// Of none: it stands in the directory (``DirectoryStore``).
        case installation
    }

    /// The name of the table in every store.
    public let name: String
    /// Whose its rows are.
    public let owner: Owner
    /// In the order in which they are stored.
    public let columns: [Column]
    /// Names of the columns that tell rows apart. They are the first of ``columns``.
    public let key: [String]
    /// The indexes by which its rows are found, beside the key.
    public let indexes: [Index]
    /// Whether heads count its rows, so that whoever writes it holds the head of its database, and a row that is missing is
    /// found. Of others a check finds those that were changed.
    public let isCounted: Bool
    /// A row is changed and removed as it was read, or not at all. Not so where a row that was damaged must go like any other:
    /// entries of logs, indexes, and the use of credentials.
    public let isGuarded: Bool
    /// The column that names the person whose the row is; nil where none does. Of a tenant and of a database it has the id of the user, of the
    /// installation that of the account. Whoever leaves has all these rows removed (docs/decisions/0051), whatever table they are of.
    public let person: String?
    /// The column that has the address of the person, who may have no account yet; nil where none has. Of the installation alone.
    public let address: String?
    /// Columns that nobody is given, not even the person whose the row is (docs/people.md): what a proof of who they are is checked against.
    package let withheld: [String]
    /// Rows stand in the home database of that user: the private one, or the public one for a server key.
    public let isAtHome: Bool
    /// The row of another table with which a row goes; nil where there is none.
    public let parent: Parent?
    /// Groups of columns that came after the table was made, in the order in which they came.
    package let laterColumns: [[Column]]
    /// Whether a row may have a ``Secret``.
    package let hasSecrets: Bool
    let hashing: TableHash
    /// Tells it from all others in this process.
    package let number: Int

    /// Describes a table. An error in the description ends the program.
    ///
    /// - Parameters:
    ///   - row: Gives the columns.
    ///   - checksum: What enters the checksum of a row.
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
        precondition(columns.prefix(key.count).map(\.name) == key, "\(name): the key is not the first columns")
        hashing = checksum.order(of: description.columns, table: name)
        number = Self.count.add(1, ordering: .relaxed).newValue
        precondition(
            person.map { isFound(by: $0) } ?? true && address.map { isFound(by: $0) } ?? true,
            "\(name): an index, or the key, begins with the person and with the address")
    }

    private static let count = Atomic<Int>(0)

    /// An index, by the columns of which rows are found and ordered.
    public struct Index: Sendable {
        /// The name of the index in every store.
        public let name: String
        /// Where `db` is not the first of them the index goes over all databases of a tenant.
        public let columns: [String]
        /// Whether no two rows have the same values in its columns.
        public let isUnique: Bool
        /// SQL that is true for the rows it has; nil for all.
        package let condition: String?
        /// Where a tenant has files of its own there is an index of this name. Where there is none the key does as well, or a
        /// constraint has made one.
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

    /// A row of another table with which rows go.
    public struct Parent: Sendable {
        /// The name of the table that the row is in.
        public let table: String
        /// Its key, and what else must be the same there.
        public let columns: [String]
        /// The columns that say so here, in the order of ``columns``.
        public let own: [String]

        /// Names the row with which rows go.
        ///
        /// - Parameters:
        ///   - key: Its key, by the columns here.
        ///   - same: Columns of the same name that must be equal, beside the key.
        public init(_ table: String, _ key: KeyValuePairs<String, String>, same: [String] = []) {
            self.table = table
            columns = key.map(\.key) + same
            own = key.map(\.value) + same
        }
    }

    /// What enters the checksum of a row.
    public enum Checksumming: Sendable {
        /// The name of the table and all columns in order, `later` ones but where any of their group is not 0 or empty: those
        /// were added when there were rows already, each group by a step of migration of its own (``Table/steps``).
        case columns(later: [[String]] = [])
        /// A tag, where there is one, and these in this order, without the name: tables from before checksums were derived.
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

    /// The columns of an index; of the key without one.
    package func columns(of index: Index?) -> [Column] {
        guard let index else { return Array(columns.prefix(key.count)) }
        return index.columns.compactMap { name in columns.first { $0.name == name } }
    }
}

/// Writes down which columns there are.
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

    /// None is passed over: what it would hold says of which kind it is.
    mutating func skips(_ isNothing: Bool) -> Bool {
        isOptional = true
        return false
    }

    private mutating func add(_ name: String, _ kind: ColumnKind) {
        columns.append(Column(name: name, kind: kind, isOptional: isOptional))
        isOptional = false
    }
}
