import CloudKitWire
import NephosRunner
import NephosStorage

extension TrendAnswer {
    /// One object for each series, with a row for each period: the output of the command, and the default form of the endpoint.
    var rowsJSON: [UInt8] {
        var json = JSONWriter()
        let isArray = isSplit || series.count != 1
        if isArray { json.beginArray() }
        for one in series {
            json.beginObject()
            if let container = one.container { json.member("container", container) }
            json.member("type", one.type.text)
            if let source = one.source { json.member("source", source) }
            if let split = one.splitText { json.member("split", split) }
            if let list = one.list { json.write(list) }
            json.member("zone", days.name)
            json.member("asOf", asOf)
            json.write(one.progress)
            json.key("periods")
            json.beginArray()
            let columns = one.columns
            for place in starts.indices {
                json.beginObject()
                json.member("start", "\(CivilDate(starts[place]))")
                for column in columns {
                    json.key(column.name)
                    if one.isKnown(place) { json.int64(column.numbers[place]) } else { json.null() }
                }
                if isLastPartial, place == starts.count - 1 { json.member("partial", true) }
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        if isArray { json.endArray() }
        return json.bytes
    }

    /// A column for each kind of count, which is smaller than rows: for charts.
    var columnsJSON: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        beginColumns(&json)
        json.beginArray()
        for one in series {
            json.beginObject()
            one.writeColumns(&json)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// The members before the array of series, and the key of that array.
    func beginColumns(_ json: inout JSONWriter) {
        json.member("zone", days.name)
        json.member("asOf", asOf)
        json.write(progress)
        json.member("by", period.rawValue)
        if isLastPartial { json.member("partial", true) }
        json.key("starts")
        json.beginArray()
        for start in starts { json.string(CivilDate(start).description) }
        json.endArray()
        json.key("series")
    }

    /// A table for spreadsheets (RFC 4180).
    var csv: [UInt8] {
        let first = series.first
        let subject =
            (first?.container == nil ? [] : ["container"]) + (first?.source == nil ? [] : ["source"]) + ["type"]
            + (isSplit ? ["split"] : []) + (first?.list == nil ? [] : ["list", "of"])
        let names = first?.columns.map { "\($0.name)" } ?? ["created", "deleted", "restored", "live"]
        var lines = [(subject + ["start"] + names).joined(separator: ",")]
        for one in series {
            let words =
                [one.container, one.source, one.type.text].compactMap(\.self)
                + [one.splitText, one.list?.field.text, one.list.map { $0.of ?? "" }].compactMap(\.self)
            let start = words.map(Self.cell).joined(separator: ",")
            let columns = one.columns.map(\.numbers)
            for place in starts.indices {
                let isKnown = one.isKnown(place)
                let numbers = columns.map { isKnown ? "\($0[place])" : "" }.joined(separator: ",")
                lines.append("\(start),\(CivilDate(starts[place])),\(numbers)")
            }
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// A text as a cell that no spreadsheet runs.
    private static func cell(_ text: String) -> String {
        // By bytes: a character may hide these, as CR LF does, or a comma with a combining accent.
        var bytes = Array(SpreadsheetCell.guarded(Array(text.utf8)[...]))
        if bytes.contains(where: { "\",;\t\r\n".utf8.contains($0) }) {
            let quote = UInt8(ascii: "\"")
            bytes = [quote] + bytes.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TrendAnswer.Series {
    /// The members that identify the series, and its columns.
    func writeColumns(_ json: inout JSONWriter) {
        json.member("type", type.text)
        if let source { json.member("source", source) }
        if let list { json.write(list) }
        json.key("split")
        if let splitText { json.string(splitText) } else { json.null() }
        for column in columns {
            json.key(column.name)
            if isKnownThroughout { json.int64s(column.numbers) } else { json.write(known(column.numbers)) }
        }
    }

    /// The numbers reported for each period; those of periods in which nothing is known mean nothing.
    var columns: [(name: StaticString, numbers: [Int64])] {
        guard list == nil else { return [("delta", counts.map { $0.net }), ("total", live)] }
        let zeros = Array(repeating: Int64(0), count: counts.count)
        var columns: [(name: StaticString, numbers: [Int64])] = [
            ("created", counts.map { $0.created }),
            // Most types never have deletions.
            ("deleted", total.deleted == 0 ? zeros : counts.map { $0.deleted }),
            ("restored", total.restored == 0 ? zeros : counts.map { $0.restored }),
        ]
        if split != nil { columns.append(("moved", counts.map { $0.moved })) }
        columns.append(("live", live))
        return columns
    }
}

extension TrendPart {
    /// The records in which a list is counted, as in the settings.
    var of: String? {
        switch kind {
        case .split, .elsewhere: nil
        case .all: "all"
        case .newest: "newest"
        case .record(let name): "record: \(name.text)"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ list: TrendPart) {
        member("list", list.field.text)
        if let of = list.of { member("of", of) }
    }

    /// What is not known of the past.
    fileprivate mutating func write(_ progress: TrendAnswer.Progress?) {
        guard let progress else { return }
        if progress.percent < 100 { member("countingBack", Int64(progress.percent)) }
        if progress.deletedSince > 0 { member("deletedKnownSince", progress.deletedSince) }
    }

    /// Unknown numbers are null.
    fileprivate mutating func write(_ numbers: [Int64?]) {
        beginArray()
        for number in numbers { if let number { int64(number) } else { null() } }
        endArray()
    }
}
