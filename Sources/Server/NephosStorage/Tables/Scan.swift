import CloudKitWire

/// Which rows of a table: those whose first columns of its key, or of one of its indexes, have these values, and of which the
/// next lie in a range or are among some; in the order of the key or index.
///
/// What a read set asks for by a scan its reading answers by the same scan: `set.ask(scan)`, then `reading[scan]`.
public struct Scan<Row: StoredRow>: Sendable, Hashable {
    package let shape: ScanShape
    /// Of the fixed columns, of the tuple that bounds the rest, and of the conditions.
    package let values: [ColumnValue]
    package let tuples: [[ColumnValue]]
    /// Most rows to answer, at least 1.
    package let limit: Int
    /// Of what mostly tells scans apart. Worked out once: what one found is looked for again and again.
    let hash: Int

    /// Asks for rows by the key or an index of their table.
    ///
    /// - Parameters:
    ///   - index: The name of an index; nil for the key.
    ///   - values: Of its first columns.
    ///   - above: Only rows whose next columns are above this tuple.
    ///   - below: Only rows whose next columns are below it.
    ///   - descending: The last first.
    ///   - conditions: What else must be so of a row. All that the index finds are looked at.
    ///   - order: By these columns instead of those of the index. All that it finds are sorted.
    public init(
        by index: String? = nil, _ values: ColumnValue..., above: [ColumnValue]? = nil, below: [ColumnValue]? = nil,
        descending: Bool = false, only conditions: [RowCondition] = [], sorted order: [RowOrder] = [], limit: Int,
        lock: RowLock = .none
    ) {
        precondition(above == nil || below == nil, "a scan has one bound")
        let rest: ScanShape.Rest = above.map { .above($0.count) } ?? below.map { .below($0.count) } ?? .all
        shape = Self.shape(
            index, values.count, rest, descending, conditions.map(\.text), order.map(\.text), lock)
        self.values = values + (above ?? below ?? []) + conditions.map(\.value)
        tuples = []
        self.limit = limit
        hash = Self.hash(shape, self.values)
    }

    /// Rows by many tuples, those that are there, in any order.
    ///
    /// - Parameters:
    ///   - values: Of the first columns.
    ///   - tuples: Of the columns that come next, each tuple once.
    public init(
        by index: String? = nil, _ values: ColumnValue..., among tuples: [[ColumnValue]], limit: Int = .max,
        lock: RowLock = .none
    ) {
        shape = Self.shape(index, values.count, .among(tuples.first?.count ?? 0), false, [], [], lock)
        self.values = values
        self.tuples = tuples
        self.limit = limit
        hash = Self.hash(shape, values)
    }

    private init(_ shape: ScanShape, _ values: [ColumnValue], _ tuples: [[ColumnValue]], limit: Int) {
        self.shape = shape
        self.values = values
        self.tuples = tuples
        self.limit = limit
        hash = Self.hash(shape, values)
    }

    /// The same in scans of which each names one database, in ascending order; itself where it does, or is of no database.
    package var byDatabase: [Scan] {
        guard case .among(let count) = shape.rest, shape.fixed == 0,
            Row.table.columns(of: index).first?.kind == .database
        else { return [self] }
        let rest = ScanShape(
            table: shape.table, index: shape.index, fixed: 1, rest: count == 1 ? .all : .among(count - 1),
            isDescending: false, conditions: [], order: [], lock: shape.lock)
        return Dictionary(grouping: tuples.filter { !$0.isEmpty }) { $0[0] }.sorted { $0.key < $1.key }.map {
            Scan(rest, [$0.key], count == 1 ? [] : $0.value.map { Array($0.dropFirst()) }, limit: limit)
        }
    }

    private static func shape(
        _ index: String?, _ fixed: Int, _ rest: ScanShape.Rest, _ isDescending: Bool, _ conditions: [String],
        _ order: [String], _ lock: RowLock
    ) -> ScanShape {
        let table = Row.table
        var place = -1
        if let index {
            guard let found = table.indexes.firstIndex(where: { $0.name == index }) else {
                preconditionFailure("\(table.name) has no index \(index)")
            }
            place = found
        }
        return ScanShape(
            table: table.number, index: place, fixed: fixed, rest: rest, isDescending: isDescending,
            conditions: conditions, order: order, lock: lock)
    }

    /// Nothing can be found, and nothing need be asked.
    package var isEmpty: Bool { if case .among = shape.rest { tuples.isEmpty } else { false } }

    package var index: Table.Index? { shape.index < 0 ? nil : Row.table.indexes[shape.index] }

    /// The columns by which rows come, with `DESC` where the last come first; none where they come in any order.
    package var order: [String] {
        if case .among = shape.rest { return [] }
        guard shape.order.isEmpty else { return shape.order }
        return Row.table.columns(of: index).dropFirst(shape.fixed).map {
            shape.isDescending ? "\($0.name) DESC" : $0.name
        }
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    private static func hash(_ shape: ScanShape, _ values: [ColumnValue]) -> Int {
        var hasher = Hasher()
        hasher.combine(shape.table)
        hasher.combine(values)
        return hasher.finalize()
    }

    /// Rows by whole keys, at most 200: little work, whatever is stored.
    public var isBounded: Bool {
        guard index?.isUnique != false else { return false }
        let columns = Row.table.columns(of: index).count
        switch shape.rest {
        case .all: return shape.fixed == columns
        case .among(let count): return (tuples.isEmpty || shape.fixed + count == columns) && tuples.count <= 200
        case .above, .below: return false
        }
    }
}

/// What must be so of a row, beside its place in an index.
public struct RowCondition: Sendable {
    /// A column and a sign.
    let text: String
    let value: ColumnValue

    /// The column has this value.
    public static func equal(_ column: String, _ value: ColumnValue) -> Self { Self(text: "\(column) =", value: value) }
    /// The column has this value or a smaller one.
    public static func atMost(_ column: String, _ value: ColumnValue) -> Self {
        Self(text: "\(column) <=", value: value)
    }
    /// The column has this value or a greater one.
    public static func atLeast(_ column: String, _ value: ColumnValue) -> Self {
        Self(text: "\(column) >=", value: value)
    }
}

/// A column by which rows are sorted.
public enum RowOrder: Sendable {
    /// The first come first.
    case up(String)
    /// The last first.
    case down(String)

    var text: String {
        switch self {
        case .up(let column): column
        case .down(let column): "\(column) DESC"
        }
    }
}

/// What a commit does to rows that it reads. A read locks nothing.
public enum RowLock: Sendable, Hashable {
    /// Nothing is locked.
    case none
    /// Nobody else changes them before it ends.
    case update
    /// Nobody removes them before it ends.
    case keyShare
    /// As ``update``; those that another has locked are passed over.
    case skipLocked
}

/// What the statement of a scan is made of, without its values.
package struct ScanShape: Sendable, Hashable {
    /// What the columns behind the fixed ones may be. Numbers of columns.
    package enum Rest: Sendable, Hashable {
        case all
        /// Strictly above or below one tuple.
        case above(Int)
        case below(Int)
        /// One of many tuples.
        case among(Int)
    }

    /// ``Table/number``.
    package let table: Int
    /// The place of the index in ``Table/indexes``; -1 for the key.
    package let index: Int
    /// How many columns have one value.
    package let fixed: Int
    package let rest: Rest
    package let isDescending: Bool
    /// Each a column and a sign.
    package let conditions: [String]
    let order: [String]
    package let lock: RowLock

    /// Of what mostly tells them apart: statements are looked for by them at each read.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        hasher.combine(index)
        hasher.combine(rest)
    }
}

/// A scan of whatever table.
public protocol AnyScan: Sendable {
    /// The type of the rows that it finds.
    associatedtype Row: StoredRow
    /// The scan itself, whose type says of which rows it is.
    var scan: Scan<Row> { get }
    /// Little work, whatever is stored.
    var isBounded: Bool { get }
}

extension Scan: AnyScan {
    public var scan: Scan<Row> { self }
}

extension TenantStore {
    /// The rows that one scan finds in a snapshot. May wait.
    ///
    /// - Throws: ``StorageError``, as ``TenantStore/read(_:)``.
    public func rows<Row: StoredRow>(_ scan: Scan<Row>) throws(StorageError) -> [Row] {
        var set = ReadSet()
        set.ask(scan)
        return try read(set)[scan]
    }
}
