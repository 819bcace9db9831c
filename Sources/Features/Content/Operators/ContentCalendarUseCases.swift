import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    /// How a calendar is shown.
    fileprivate enum CalendarOutput: String, InputWord, CaseIterable { case table, json, ics }

    static let contentCalendar = UseCase(
        "content calendar", .reads, abstract: "Show what is shown when, in the days that come.",
        discussion: """
            Hours that come again are listed each. With --output ics it is a file for programs that show calendars (RFC 5545).

            Examples:

              nephos content calendar iCloud.com.example.app --days 30
              nephos content calendar iCloud.com.example.app Chibi --output ics \\
                > chibi.ics
            """,
        .tenant, Input<String?>.argument("type", help: "A record type; all without one."),
        Input<Int>.option("days", default: 90, help: "How many, up to 1000.").refusing("Days are 1 to 1000.") {
            (1...1_000).contains($0)
        },
        Input<CalendarOutput>.option("output", default: .table, help: "table, json or ics.")
    ) { call, tenant, typeName, days, output in
        let desk = try ContentDesk(call, tenant)
        let now = call.now()
        var calendar = ContentCalendar(now..<now + Milliseconds(days) * 86_400_000)
        try desk.forEachRecord(named: typeName) { _, record, content, type in calendar.add(record, content, type) }
        if output == .ics { return .bytes(Array(calendar.iCalendar(tenant.container, at: now).utf8)) }
        let head = ["From", "Until", "Type", "Record"]
        let rows = calendar.sorted.map {
            [ISO8601.text($0.from), $0.until.map(ISO8601.text) ?? "-", $0.type, $0.record]
        }
        return (output == .json ? Output.json : .table).answer(
            head, rows, whenEmpty: "Nothing is shown in these days."
        ) { json in
            for row in rows { Output.write(head, row, to: &json) }
        }
    }

    static let contentBad = UseCase(
        "content bad", .reads, lists: true,
        abstract: "List content that says what could not be meant, with the reason.",
        discussion: """
            A save refuses it: these were saved before their type was content, or name an audience that is there no more. They hide no others.

            Example:

              nephos content bad iCloud.com.example.app
            """,
        .tenant, Input<String?>.argument("type", help: "A record type; all without one.")
    ) { call, tenant, typeName in
        let desk = try ContentDesk(call, tenant)
        let audiences = try desk.audiences()
        var rows: [[String]] = []
        try desk.forEachRecord(named: typeName) { name, record, content, type in
            guard let breach = content.breach(in: record.liveFields(of: type), audiences) else { return }
            rows.append([name.text, record.name.text, breach])
        }
        return .table(["Type", "Record", "What is wrong"], rows, whenEmpty: "All content can be read.")
            .failing(rows.isEmpty ? nil : "\(rows.count) records cannot be read.")
    }
}
