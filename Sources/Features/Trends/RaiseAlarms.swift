import CloudKitWire
import NephosDomain
import NephosStorage

/// Looks at today and yesterday of the types that have alarms, and notes what is unusual: once a day for each receiver.
struct RaiseAlarms {
    let settings: TrendSettings
    let now: Milliseconds
    private let question: TrendQuestion
    private let today: Int64

    /// nil where there are no alarms, or their types are not there.
    init?(_ settings: TrendSettings, _ catalog: Catalog, now: Milliseconds) {
        let types = settings.alarms.reduce(into: [Name]()) { types, alarm in
            if catalog.types[alarm.type] != nil, !types.contains(alarm.type) { types.append(alarm.type) }
        }
        guard !types.isEmpty, let days = Days(zone: settings.zone) else { return nil }
        (self.settings, self.now) = (settings, now)
        today = days.day(of: now)
        question = TrendQuestion(types: types, since: today - 1 - 7 * Int64(AlarmRule.weeks), days: days)
    }

    /// When the day is over, which a fall waits for.
    var dayEnd: Milliseconds { question.days.beginning(of: today + 1) }

    func reading(_ catalog: Catalog) -> ReadSet {
        var set = question.reading(catalog)
        set.ask(TrendAlarmRow.all)
        return set
    }

    func decide(_ reading: Reading) throws -> Decision<Void> {
        let answer = try question.answer(reading, now: now)
        let stored = reading[TrendAlarmRow.all]
        var set = WriteSet()
        for series in answer.series {
            guard let type = reading.catalog.types[series.type]?.row.number else { continue }
            // Before the first record nothing was usual.
            let first = reading[TrendSumRow.of(.inPublic, type, 0)].first.map {
                question.days.day(of: $0.firstQuarter * Trends.quarter)
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
        for row in stored where row.day < today - TrendAlarmRow.daysKept { set.remove(row) }
        return .write(set, ())
    }
}

/// What an alarm says, to a webhook or by mail.
struct AlarmMessage {
    let row: TrendAlarmRow
    let type: Name
    let tenant: Tenant
    let zone: String

    private var day: String { "\(CivilDate(row.day))" }
    private var limit: Double { max(6 * row.rule.deviation, row.rule.median / 2, 20) }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }

    var subject: String {
        let what = row.kind == .jump ? "many more" : "many fewer"
        return "\(tenant.container): \(what) \(type) than usual on \(day)"
    }

    /// The rule, with its numbers.
    var text: String {
        let m = Self.text(row.rule.median)
        return """
            On \(day) (\(zone)) \(row.count) records of type \(type) were created \
            \(row.kind == .jump ? "so far" : "") in the \(tenant.environment) environment of \(tenant.container).
            The same day of the week had \(m) in the median of the last \(AlarmRule.weeks) weeks.

            An alarm is raised where a day differs from that median m by more than 6 d, m / 2 and 20, where d is the median
            of how far those days were from m: m = \(m), d = \(Self.text(row.rule.deviation)), so by more than \(Self.text(limit)).
            """
    }

    var json: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("alarm", row.kind == .jump ? "jump" : "fall")
        json.member("container", tenant.container)
        json.member("environment", "\(tenant.environment)")
        json.member("type", type.text)
        json.member("day", day)
        json.member("zone", zone)
        json.member("x", row.count)
        json.key("m")
        json.double(row.rule.median)
        json.key("d")
        json.double(row.rule.deviation)
        json.key("limit")
        json.double(limit)
        json.member("rule", "|x - m| > max(6 d, m / 2, 20)")
        json.member("text", text)
        json.endObject()
        return json.bytes
    }
}
