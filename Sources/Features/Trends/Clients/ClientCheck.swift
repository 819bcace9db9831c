import NephosDomain
import NephosRunner
import NephosStorage

/// All clients of an environment, read in pages.
struct ClientPages {
    private static let rows = 1_000

    let administration: Administration
    let store: any TenantStore

    func forEach(_ body: (ClientRow) -> Void) throws(AdminError) {
        var last: [UInt8] = []
        while true {
            let rows = try administration.rows(ClientRow.page(after: last, limit: Self.rows), of: store)
            rows.forEach(body)
            guard rows.count == Self.rows, let next = rows.last else { return }
            last = next.client
        }
    }
}

/// Compares the stored clients with their counts in the sums.
enum ClientCheck {
    /// Attempts, as clients may report during a check.
    private static let attempts = 3
    private static let pageRows = 1_000

    /// - Returns: Also that it gave up.
    static func report(
        _ administration: Administration, _ store: any TenantStore
    ) throws(AdminError) -> TrendCheck.Report {
        for _ in 0..<attempts {
            let rare = try rare(administration, store)
            let before = try sums(administration, store)
            var real: [TrendSeries: Int64] = [:]
            var values: [ClientProperty: [String: Int64]] = [:]
            try ClientPages(administration: administration, store: store).forEach { row in
                real[ClientSeries.all, default: 0] += 1
                for property in ClientProperty.allCases {
                    values[property, default: [:]][row.value(property), default: 0] += 1
                }
            }
            // Clients that exchange their values change only rows of rare ones.
            guard try sums(administration, store) == before, try Self.rare(administration, store) == rare else {
                continue
            }
            var realRare: [TrendSeries: Int64] = [:]
            for (property, counts) in values {
                for (value, count) in counts {
                    let own = ClientSeries.of(property, value)
                    let other = own.of(TypeParts.other)
                    // Rare values are counted as "other" when there are many.
                    real[before[own] == nil ? other : own, default: 0] += count
                    if before[own] == nil, own != other { realRare[own] = count }
                }
            }
            var report = TrendCheck.Report()
            report.findings = realRare.merging(rare.mapValues { _ in 0 }) { count, _ in count }
                .filter { rare[$0.key] ?? 0 != $0.value }.sorted { $0.key < $1.key }
                .map { series, count in
                    CheckFinding(
                        table: TrendRareRow.table.name,
                        what: "there are \(count) clients \(series.valueText), but the row says \(rare[series] ?? 0)")
                }
            report.findings += real.merging(before.mapValues { _ in 0 }) { count, _ in count }
                .filter { before[$0.key] ?? 0 != $0.value }.sorted { $0.key < $1.key }
                .map { series, count in
                    CheckFinding(
                        table: TrendSumRow.table.name,
                        what: "there are \(count) clients \(series.valueText), but \(before[series] ?? 0) are counted")
                }
            return report
        }
        return TrendCheck.Report(open: ["Clients: they were changed meanwhile."])
    }

    private static func rare(
        _ administration: Administration, _ store: any TenantStore
    ) throws(AdminError) -> [TrendSeries: Int64] {
        var (rare, last): ([TrendSeries: Int64], TrendSeries?) = ([:], nil)
        while true {
            let rows = try administration.rows(
                TrendRareRow.page(of: .ofClients, after: last, limit: pageRows), of: store)
            for row in rows { rare[row.series] = row.count }
            guard rows.count == pageRows else { return rare }
            last = rows.last?.series
        }
    }

    private static func sums(
        _ administration: Administration, _ store: any TenantStore
    ) throws(AdminError) -> [TrendSeries: Int64] {
        let rows = try administration.rows(TrendSumRow.all, of: store).filter { $0.series.side == .ofClients }
        return Dictionary(rows.map { ($0.series, $0.counts.net) }) { first, _ in first }
    }
}
