import CloudKitWire
import NephosDomain
import NephosQueries
import NephosStorage

/// The intervals in which content records are shown, within a range of time.
struct ContentCalendar {
    /// An interval in which a record is shown.
    struct Stretch: Equatable {
        let type, record: String
        let from: Milliseconds
        /// nil if it does not end.
        let until: Milliseconds?
    }

    /// The limit of beginnings and ends of recurring hours for one record: more than two on each day of the longest calendar.
    private static let edgesMax = 4_000

    private let range: Range<Milliseconds>
    private(set) var stretches: [Stretch] = []

    init(_ range: Range<Milliseconds>) { self.range = range }

    mutating func add(_ record: RecordRow, _ content: ContentType, _ type: RecordType) {
        let state = ContentState(record, content, type)
        guard let start = state.publishedAt else { return }
        let end = state.until
        guard start < range.upperBound, end.map({ $0 > range.lowerBound }) ?? true else { return }
        guard let every = state.every else { return add(type, record, start, end) }
        // Recurring hours within the range and the record's own start and end.
        var time = max(start, range.lowerBound)
        let last = min(end ?? .max, range.upperBound)
        for _ in 0..<Self.edgesMax where time < last {
            guard let next = RecurringHours.nextEdge(every, after: time) else { return }
            if RecurringHours.contain(time, every) { add(type, record, time, min(next, end ?? .max)) }
            time = next
        }
    }

    private mutating func add(_ type: RecordType, _ record: RecordRow, _ from: Milliseconds, _ until: Milliseconds?) {
        stretches.append(Stretch(type: type.row.name.text, record: record.name.text, from: from, until: until))
    }

    /// Ordered by start.
    var sorted: [Stretch] { stretches.sorted { ($0.from, $0.type, $0.record) < ($1.from, $1.type, $1.record) } }

    // MARK: iCalendar

    /// The calendar in RFC 5545 format, for calendar programs.
    ///
    /// - Parameter now: The creation time.
    func iCalendar(_ container: String, at now: Milliseconds) -> String {
        var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Nephos//content//EN"]
        for stretch in sorted {
            lines += [
                "BEGIN:VEVENT", "UID:\(Self.text("\(stretch.from)-\(stretch.type)-\(stretch.record)@\(container)"))",
            ]
            lines += ["DTSTAMP:\(Self.time(now))", "DTSTART:\(Self.time(stretch.from))"]
            if let until = stretch.until { lines.append("DTEND:\(Self.time(until))") }
            lines += ["SUMMARY:\(Self.text("\(stretch.record) (\(stretch.type))"))", "END:VEVENT"]
        }
        lines.append("END:VCALENDAR")
        return lines.flatMap(Self.folded).map { $0 + "\r\n" }.joined()
    }

    /// `20270307T080000Z`
    private static func time(_ time: Milliseconds) -> String {
        String(ISO8601.text(time).prefix(19)).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    private static func text(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\", ";", ",": escaped += "\\\(character)"
            case _ where character.isNewline: escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }

    /// Lines have at most 75 bytes; continuation lines begin with a space.
    private static func folded(_ line: String) -> [String] {
        var (lines, last) = ([String](), "")
        for character in line {
            if last.utf8.count + String(character).utf8.count > 75 {
                lines.append(last)
                last = " "
            }
            last.append(character)
        }
        return lines + [last]
    }
}
