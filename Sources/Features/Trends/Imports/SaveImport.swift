import CloudKitWire
import NephosDomain
import NephosStorage

/// Adds imported figures to those already stored: a day that is sent again replaces the earlier value.
struct SaveImport: Sendable {
    let report: ImportReport
    let now: Milliseconds

    private static let news = NewsRow.of([Trends.topic])
    private var years: Scan<ImportYearRow> {
        ImportYearRow.of(report.source, report.years.keys.sorted { $0.order.lexicographicallyPrecedes($1.order) })
    }

    var reading: ReadSet {
        var set = ReadSet()
        // Concurrent imports wait for each other.
        set.databases = [Trends.database]
        set.ask(ImportSeriesRow.all)
        set.ask(Self.news)
        if !report.years.isEmpty { set.ask(years) }
        return set
    }

    /// - Throws: ``Refusal/limitExceeded(_:)`` for too many sources or series, ``Refusal/badRequest(_:)`` if the zone differs
    ///   from the earlier one.
    func decide(_ reading: Reading) throws -> Decision<Void> {
        let stored = reading[ImportSeriesRow.all]
        let own = stored.filter { $0.source == report.source }
        try requireRoom(stored, own)
        var set = WriteSet()
        let oldYears = Dictionary(
            (report.years.isEmpty ? [] : reading[years]).map { ($0.place, $0) }, uniquingKeysWith: { first, _ in first }
        )
        for (year, numbers) in report.years {
            let old = oldYears[year]
            var days = try old.map { row throws(StorageError) in try ImportedDays(row.days) } ?? ImportedDays()
            days.numbers.merge(numbers) { _, new in new }
            let new = ImportYearRow(
                source: report.source, type: year.type, list: year.list, year: year.year, days: days.bytes)
            if new != old { set.put(new, replacing: old) }
        }
        for (series, days) in report.limits {
            let old = own.first { $0.type == series.type && $0.list == series.list }
            set.put(
                ImportSeriesRow(
                    source: report.source, type: series.type, list: series.list, zone: report.zone,
                    firstDay: min(old?.firstDay ?? .max, days.lowerBound),
                    lastDay: max(old?.lastDay ?? .min, days.upperBound), at: now), replacing: old)
        }
        if !set.isEmpty { set.post(Trends.topic, replacing: reading[Self.news].first, at: now) }
        return .write(set, ())
    }

    private func requireRoom(_ stored: [ImportSeriesRow], _ own: [ImportSeriesRow]) throws(Refusal) {
        if own.isEmpty, Set(stored.map(\.source)).count >= ImportSeriesRow.sourcesMax {
            throw .limitExceeded(
                "there are already \(ImportSeriesRow.sourcesMax) sources: remove one with nephos trends forget-source")
        }
        if let zone = own.first?.zone, zone != report.zone {
            throw .badRequest(
                "\(report.source) has days of \(zone), not of \(report.zone): send that zone, "
                    + "or remove the source with nephos trends forget-source and send all its figures again")
        }
        let known = Set(own.map { [$0.type, $0.list] })
        guard known.union(report.limits.keys.map { [$0.type, $0.list] }).count <= ImportSeriesRow.seriesMax else {
            throw .limitExceeded("a source can have at most \(ImportSeriesRow.seriesMax) series")
        }
    }
}

extension ImportReport {
    /// The first and the last day of each series that has any; keys are the series with year 0.
    fileprivate var limits: [Year: ClosedRange<Int64>] {
        var limits: [Year: ClosedRange<Int64>] = [:]
        for (year, numbers) in years {
            let start = CivilDate(year: year.year, month: 1, day: 1).days
            guard let first = numbers.keys.min(), let last = numbers.keys.max() else { continue }
            let series = Year(type: year.type, list: year.list, year: 0)
            let old = limits[series] ?? start + first...start + last
            limits[series] = min(old.lowerBound, start + first)...max(old.upperBound, start + last)
        }
        return limits
    }
}

extension ImportReport.Year {
    /// The order in which rows are locked, to prevent deadlocks.
    fileprivate var order: [Name] { [type, list, Name("\(10_000 + year)")] }
}

extension ImportYearRow {
    fileprivate var place: ImportReport.Year { ImportReport.Year(type: type, list: list, year: year) }
}
