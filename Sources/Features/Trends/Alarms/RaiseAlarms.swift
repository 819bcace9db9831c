import CloudKitWire
import NephosDomain
import NephosStorage

/// Checks today and yesterday for the types that have alarms and records what is unusual: at most one alarm per receiver and day.
struct RaiseAlarms {
    let settings: TrendSettings
    let now: Milliseconds
    private let question: TrendQuestion
    private let today: Int64

    /// nil if there are no alarms or none of their types exists.
    init?(_ settings: TrendSettings, _ catalog: Catalog, now: Milliseconds) {
        let types = settings.alarms.reduce(into: [Name]()) { types, alarm in
            if catalog.types[alarm.type] != nil, !types.contains(alarm.type) { types.append(alarm.type) }
        }
        guard !types.isEmpty, let days = Days(zone: settings.zone) else { return nil }
        (self.settings, self.now) = (settings, now)
        today = days.day(of: now)
        question = TrendQuestion(types: types, since: today - 1 - 7 * Int64(AlarmRule.weeks), days: days)
    }

    /// The end of today. A fall is reported only then.
    var dayEnd: Milliseconds { question.days.beginning(of: today + 1) }

    func reading(_ catalog: Catalog) -> ReadSet {
        var set = question.reading(catalog)
        set.ask(TrendAlarmRow.all)
        return set
    }

    func decide(_ reading: Reading) throws -> Decision<Void> {
        let answer = try question.answer(reading, now: now)
        if let progress = answer.progress, progress.percent < 100 { return .write(WriteSet(), ()) }
        let stored = reading[TrendAlarmRow.all]
        var set = WriteSet()
        for series in answer.series {
            guard let type = reading.catalog.types[series.type]?.row.number else { continue }
            // Days before the first record have no usual count, and days that are not completely known may be off.
            let first = series.firstDay.map { first in
                max(first, series.progress.map { question.days.day(of: $0.deletedSince) + 1 } ?? first)
            }
            for (day, isOver) in [(today - 1, true), (today, false)] {
                guard let place = answer.starts.firstIndex(of: day) else { continue }
                let before = (1...AlarmRule.weeks).compactMap { week -> Int64? in
                    let past = place - 7 * week
                    guard past >= 0, answer.starts[past] >= first ?? .max else { return nil }
                    return series.counts[past].created
                }
                let count = series.counts[place].created
                guard let rule = AlarmRule(before), let kind = rule.alarm(count, isOver: isOver) else { continue }
                for alarm in settings.alarms where alarm.type == series.type {
                    guard !stored.contains(where: { $0.type == type && $0.day == day && $0.receiver == alarm.receiver })
                    else { continue }
                    set.put(
                        TrendAlarmRow(
                            type: type, day: day, receiver: alarm.receiver, kind: kind, count: count,
                            median4: Int64(rule.median * 4), deviation4: Int64(rule.deviation * 4), raisedAt: now,
                            nextAt: now))
                }
            }
        }
        if !set.isEmpty { set.ask(for: SendAlarms.job, at: now) }
        for row in stored where row.day < today - TrendAlarmRow.daysKept { set.remove(row) }
        return .write(set, ())
    }
}
