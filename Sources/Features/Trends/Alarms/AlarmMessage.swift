import CloudKitWire
import Crypto
import NephosStorage

/// The text of an alarm, sent to a webhook or by mail.
struct AlarmMessage {
    let row: TrendAlarmRow
    let type: Name
    let tenant: Tenant
    let zone: String

    /// Whether the day was not yet over when the alarm was raised.
    private var isSoFar: Bool { Days(zone: zone)?.day(of: row.raisedAt) == row.day }
    private var day: String { "\(CivilDate(row.day))" }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }

    /// 16 bytes, the same for every attempt to send this alarm, so that the outbox stores it only once.
    var id: [UInt8] {
        let words = ["\(tenant)", "\(row.type)", "\(row.day)", "\(row.receiver)", "\(row.raisedAt)"]
        return Array(SHA256.hash(data: Array(words.joined(separator: "\n").utf8)).prefix(16))
    }

    var subject: String {
        let what = row.kind == .jump ? "many more" : "many fewer"
        return "\(tenant.container): \(what) \(type) than usual on \(day)"
    }

    /// The rule, with its numbers.
    var text: String {
        let m = Self.text(row.rule.median)
        return """
            On \(day) (\(zone)) \(row.count) records of type \(type) were created in the \(tenant.environment) environment of \
            \(tenant.container)\(isSoFar ? ", so far" : "").
            The same day of the week had \(m) in the median of the last \(AlarmRule.weeks) weeks.

            An alarm is raised if a day differs from that median m by more than each of 6 d, m / 2 and 20, where d is the median
            deviation of those days from m: m = \(m), d = \(Self.text(row.rule.deviation)), so by more than \(Self.text(row.rule.limit)).
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
        json.double(row.rule.limit)
        json.member("rule", "|x - m| > max(6 d, m / 2, 20)")
        json.member("text", text)
        json.endObject()
        return json.bytes
    }
}
