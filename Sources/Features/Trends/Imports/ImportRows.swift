import CloudKitWire
import NephosStorage

/// The records of a type, or the elements of a list, counted elsewhere and imported (table `trend_import_series`).
struct ImportSeriesRow: Sendable, Equatable {
    /// Sources per environment, and series per source.
    static let sourcesMax = 20
    static let seriesMax = 200
    /// Bytes of the name of a source.
    static let sourceBytesMax = 64

    var database: DatabaseNumber = Trends.database
    /// Where the figures were counted, such as a container on another service.
    var source: String
    /// Not necessarily a type of this container.
    var type: Name
    /// The field of a list; empty for records.
    var list: Name = ""
    /// The zone of these days, the same in all series of a source.
    var zone: String
    /// Days since 1970.
    var firstDay, lastDay: Int64
    /// When figures were last imported.
    var at: Milliseconds
}

extension ImportSeriesRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_import_series", .database, key: ["db", "source", "type", "list"], isCounted: true)
    static let sample = ImportSeriesRow(source: "s", type: "T", zone: "UTC", firstDay: 0, lastDay: 0, at: 0)

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.text("source", &source)
        try columns.name("type", &type)
        try columns.name("list", &list)
        try columns.text("zone", &zone)
        try columns.int("first_day", &firstDay)
        try columns.int("last_day", &lastDay)
        try columns.int("at", &at)
    }

    static let all = Scan<Self>(.database(Trends.database), limit: sourcesMax * seriesMax)

    static func of(_ source: String) -> Scan<Self> {
        Scan(.database(Trends.database), .text(source), limit: seriesMax)
    }
}

/// The imported figures of one series and one year (table `trend_imports`).
struct ImportYearRow: Sendable, Equatable {
    var database: DatabaseNumber = Trends.database
    var source: String
    var type: Name
    var list: Name = ""
    var year: Int64
    /// ``ImportedDays``.
    var days: [UInt8]
}

extension ImportYearRow: StoredRow {
    static let table = Table(
        of: Self.self, "trend_imports", .database, key: ["db", "source", "type", "list", "year"], isCounted: true)
    static let sample = ImportYearRow(source: "s", type: "T", year: 2_026, days: [])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.text("source", &source)
        try columns.name("type", &type)
        try columns.name("list", &list)
        try columns.int("year", &year)
        try columns.bytes("days", &days)
    }

    /// All of a source. - Parameter limit: If this many are found, there may be more.
    static func of(_ source: String, limit: Int = .max) -> Scan<Self> {
        Scan(.database(Trends.database), .text(source), limit: limit)
    }

    /// All of one series of a source.
    static func of(_ source: String, _ type: Name, _ list: Name) -> Scan<Self> {
        Scan(.database(Trends.database), .text(source), .name(type), .name(list), limit: .max)
    }

    /// Those of certain series and years of a source.
    static func of(_ source: String, _ years: [ImportReport.Year]) -> Scan<Self> {
        Scan(
            .database(Trends.database), .text(source),
            among: years.map { [.name($0.type), .name($0.list), .int($0.year)] })
    }
}

/// A source of imported figures, and the last day that it has.
struct ImportSource: Equatable {
    let name, zone: String
    /// Days since 1970.
    let lastDay: Int64
}

extension [ImportSeriesRow] {
    /// Ordered by name.
    var bySource: [ImportSource] {
        Dictionary(grouping: self, by: \.source).compactMap { name, rows in
            rows.max { $0.lastDay < $1.lastDay }.map { ImportSource(name: name, zone: $0.zone, lastDay: $0.lastDay) }
        }.sorted { $0.name < $1.name }
    }
}
