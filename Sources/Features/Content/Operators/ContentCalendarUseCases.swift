import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    /// How a calendar is shown.
    fileprivate enum CalendarOutput: String, InputWord, CaseIterable { case table, json, ics }

    static let contentCalendar = UseCase(
        "content calendar", .reads, abstract: "Show when content will be shown, for the next days.",
        discussion: """
            Each occurrence of recurring hours is listed. With --output ics it is a file for calendar programs (RFC 5545).

            Examples:

              nephos content calendar iCloud.com.example.app --days 30
              nephos content calendar iCloud.com.example.app Chibi --output ics \\
                > chibi.ics
            """,
        .tenant, Input<String?>.argument("type", help: "A record type; all types if omitted."),
        Input<Int>.option("days", default: 90, help: "The number of days, up to 1000.").refusing(
            "--days must be from 1 to 1000."
        ) {
            (1...1_000).contains($0)
        },
        Input<CalendarOutput>.option("output", default: .table, help: "table, json or ics.")
    ) { call, tenant, typeName, days, output in
        let operations = try ContentOperations(call, tenant)
        let now = call.now()
        var calendar = ContentCalendar(now..<now + Milliseconds(days) * 86_400_000)
        try operations.forEachRecord(named: typeName) { _, record, content, type in calendar.add(record, content, type)
        }
        if output == .ics { return .bytes(Array(calendar.iCalendar(tenant.container, at: now).utf8)) }
        let head = ["From", "Until", "Type", "Record"]
        let rows = calendar.sorted.map {
            [ISO8601.text($0.from), $0.until.map(ISO8601.text) ?? "-", $0.type, $0.record]
        }
        return (output == .json ? Output.json : .table).answer(
            head, rows, whenEmpty: "No content starts or stops being shown on these days."
        ) { json in
            for row in rows { Output.write(head, row, to: &json) }
        }
    }

    static let contentBad = UseCase(
        "content bad", .reads, lists: true,
        abstract: "List content that is not valid, with the reason.",
        discussion: """
            Saving such a record is refused: these were saved before their type became content, or name an audience that no longer exists. \
            Records for an audience to which nobody can belong are listed, too: its condition has a key that this version does not support, \
            or a range of versions that contains none. Other records are not affected.

            Example:

              nephos content bad iCloud.com.example.app
            """,
        .tenant, Input<String?>.argument("type", help: "A record type; all types if omitted.")
    ) { call, tenant, typeName in
        let operations = try ContentOperations(call, tenant)
        let audiences = try operations.audiences()
        var rows: [[String]] = []
        try operations.forEachRecord(named: typeName) { name, record, content, type in
            let fields = record.liveFields(of: type)
            guard let violation = content.violation(in: fields, audiences) ?? content.mistake(in: fields, audiences)
            else { return }
            rows.append([name.text, record.name.text, violation])
        }
        return .table(["Type", "Record", "What is wrong"], rows, whenEmpty: "All content is valid.")
            .failing(
                rows.isEmpty
                    ? nil : "\(rows.count) \(rows.count == 1 ? "record is" : "records are") not valid content.")
    }
}

extension ContentType {
    /// Why nobody can belong to the audience of a record, which saving it permits because a newer version may know better.
    func mistake(in fields: Bytes, _ audiences: AudienceBook) -> String? {
        guard let field = self.fields[.audience], let text = CanonicalFields.text(of: field, in: fields) else {
            return nil
        }
        return AudienceText.mistake(text, audiences).map { "\(field): \($0)" }
    }
}

extension CanonicalFields {
    fileprivate static func text(of field: Name, in fields: Bytes) -> Bytes? {
        var text: Bytes?
        read([field], in: fields) { _, value in text = value.bytes }
        return text
    }
}
