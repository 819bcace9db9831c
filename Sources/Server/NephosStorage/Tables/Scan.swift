import CloudKitWire

/// Selects rows of a table: those whose first columns of the key, or of an index, have given values, and whose next columns
/// are in a range or among given tuples; in the order of the key or index.
///
/// The result of a scan that a read set requested is found by the same scan: `set.ask(scan)`, then `reading[scan]`.
public struct Scan<Row: StoredRow>: Sendable, Hashable {
    package let shape: ScanShape
    /// Values of the fixed columns, of the tuple that bounds the rest, and of the conditions.
    package let values: [ColumnValue]
    package let tuples: [[ColumnValue]]
    /// Maximum number of rows to return, at least 1.
    package let limit: Int
    /// Over the parts that usually distinguish scans. Computed once: the result of a scan is looked up repeatedly.
    let hash: Int

    /// Requests rows by the key or an index of their table.
    ///
    /// - Parameters:
    ///   - index: The name of an index; nil for the key.
    ///   - values: The values of its first columns.
    ///   - above: Only rows whose next columns are above this tuple.
    ///   - below: Only rows whose next columns are below it.
    ///   - descending: In descending order.
    ///   - conditions: Further conditions for a row. All rows that the index finds are examined.
    ///   - order: Sorts by these columns instead of those of the index. All rows that the index finds are sorted.
    public init(
        by index: String? = nil, _ values: ColumnValue..., above: [ColumnValue]? = nil, below: [ColumnValue]? = nil,
        descending: Bool = false, only conditions: [RowCondition] = [], sorted order: [RowOrder] = [], limit: Int,
        lock: RowLock = .none
    ) {
        precondition(above == nil || below == nil, "a scan has at most one bound")
        let rest: ScanShape.Rest = above.map { .above($0.count) } ?? below.map { .below($0.count) } ?? .all
        shape = Self.shape(
            index, values.count, rest, descending, conditions.map(\.text), order.map(\.text), lock)
        self.values = values + (above ?? below ?? []) + conditions.map(\.value)
        tuples = []
        self.limit = limit
        hash = Self.hash(shape, self.values)
    }

    /// Finds the rows with the given tuples that exist, in any order.
    ///
    /// - Parameters:
    ///   - values: The values of the first columns.
    ///   - tuples: The values of the next columns, each tuple once.
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

    /// The same as scans of one database each, in ascending order; `self` if it has one database, or none.
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

    /// Nothing can be found, so no query is needed.
    package var isEmpty: Bool { if case .among = shape.rest { tuples.isEmpty } else { false } }

    package var index: Table.Index? { shape.index < 0 ? nil : Row.table.indexes[shape.index] }

    /// The columns by which rows are ordered, with `DESC` for descending order; empty for any order.
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

    /// At most a page of 200 rows and one more, by complete keys or the first ones of an order that an index has: little work, regardless
    /// of the size of the table.
    public var isBounded: Bool {
        if limit <= 201, shape.conditions.isEmpty, shape.order.isEmpty {
            if case .among = shape.rest {} else { return true }
        }
        guard index?.isUnique != false else { return false }
        let columns = Row.table.columns(of: index).count
        switch shape.rest {
        case .all: return shape.fixed == columns
        case .among(let count): return (tuples.isEmpty || shape.fixed + count == columns) && tuples.count <= 200
        case .above, .below: return false
        }
    }
}

/// A condition for a row, in addition to its place in an index.
public struct RowCondition: Sendable {
    /// A column and an operator.
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
    /// Ascending: the least value comes first.
    case up(String)
    /// Descending: the greatest value comes first.
    case down(String)

    var text: String {
        switch self {
        case .up(let column): column
        case .down(let column): "\(column) DESC"
        }
    }
}

/// How a commit locks the rows that it reads. A read locks nothing.
public enum RowLock: Sendable, Hashable {
    /// Nothing is locked.
    case none
    /// No other transaction changes them before this one ends.
    case update
    /// No other transaction removes them before this one ends.
    case keyShare
    /// As ``update``; rows that another transaction has locked are skipped.
    case skipLocked
}

/// The parameters of a scan's statement, without its values.
package struct ScanShape: Sendable, Hashable {
    /// The condition for the columns after the fixed ones, with numbers of columns.
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
    /// The position of the index in ``Table/indexes``; -1 for the key.
    package let index: Int
    /// How many columns have one value.
    package let fixed: Int
    package let rest: Rest
    package let isDescending: Bool
    /// Each is a column and an operator.
    package let conditions: [String]
    let order: [String]
    package let lock: RowLock

    /// Over the parts that usually distinguish shapes: statements are looked up by them at each read.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        hasher.combine(index)
        hasher.combine(rest)
    }
}

/// A scan of any table.
public protocol AnyScan: Sendable {
    /// The type of the rows that it finds.
    associatedtype Row: StoredRow
    /// The scan itself; its type specifies the kind of rows.
    var scan: Scan<Row> { get }
    /// Little work, regardless of the size of the table.
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
