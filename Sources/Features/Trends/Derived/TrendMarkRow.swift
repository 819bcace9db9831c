import CloudKitWire
import NephosStorage

/// The figures of a container as somebody last saw them, so that the next request shows what is new (table `trend_marks`).
struct TrendMarkRow: Sendable, Equatable {
    /// The limit per container and environment.
    static let most = 100
    /// Bytes of a viewer's name.
    static let viewerBytesMax = 64

    var database: DatabaseNumber = Trends.database
    /// A name that the viewer chooses.
    var viewer: String
    var at: Milliseconds
    /// Figures at that time, by their keys (``DerivedTrends/Figures/figures``): pairs of a key and a number (``NumberWriter``).
    private var figureBytes: [UInt8] = []

    init(_ viewer: String, at time: Milliseconds, _ figures: [String: Int64]) {
        (self.viewer, at) = (viewer, time)
        var writer = NumberWriter()
        for (name, figure) in figures.sorted(by: { $0.key < $1.key }) {
            writer.counted(name.utf8)
            writer.signed(figure)
        }
        figureBytes = writer.bytes
    }

    static func isViewer(_ text: String) -> Bool {
        1...viewerBytesMax ~= text.utf8.count && !text.utf8.contains(0)
    }

    var figures: [String: Int64] {
        var figures: [String: Int64] = [:]
        var reader = NumberReader(figureBytes)
        while let name = reader.counted(), let figure = reader.signed() {
            figures[String(decoding: name, as: UTF8.self)] = figure
        }
        return figures
    }
}

extension TrendMarkRow: StoredRow {
    static let table = Table(of: Self.self, "trend_marks", .database, key: ["db", "viewer"], isCounted: true)
    static let sample = TrendMarkRow("v", at: 0, [:])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.database(&database)
        try columns.text("viewer", &viewer)
        try columns.int("at", &at)
        try columns.bytes("figures", &figureBytes)
    }

    static let all = Scan<Self>(.database(Trends.database), limit: most + 1)

    static func of(_ viewer: String) -> Scan<Self> { Scan(.database(Trends.database), .text(viewer), limit: 1) }
}
