import CloudKitWire
import NephosStorage

extension TrendAnswer {
    /// One object for each series, with a row for each period: what the command prints, and the endpoint where it is asked for nothing else.
    var rowsJSON: [UInt8] {
        var json = JSONWriter()
        if series.count != 1 { json.beginArray() }
        for one in series {
            json.beginObject()
            json.member("type", one.type.text)
            json.member("zone", days.name)
            json.member("asOf", asOf)
            json.key("periods")
            json.beginArray()
            for place in starts.indices {
                json.beginObject()
                json.member("start", "\(CivilDate(starts[place]))")
                json.member("created", one.counts[place].created)
                json.member("deleted", one.counts[place].deleted)
                json.member("restored", one.counts[place].restored)
                json.member("live", one.live[place])
                if isLastPartial, place == starts.count - 1 { json.member("partial", true) }
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        if series.count != 1 { json.endArray() }
        return json.bytes
    }

    /// A column for each kind of count, which is less to read than rows: for charts.
    var columnsJSON: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("zone", days.name)
        json.member("asOf", asOf)
        json.member("by", period.rawValue)
        if isLastPartial { json.member("partial", true) }
        json.key("starts")
        json.beginArray()
        for start in starts { json.string("\(CivilDate(start))") }
        json.endArray()
        json.key("series")
        json.beginArray()
        for one in series {
            json.beginObject()
            json.member("type", one.type.text)
            json.key("split")
            json.null()
            json.column("created", one.counts.lazy.map(\.created))
            json.column("deleted", one.counts.lazy.map(\.deleted))
            json.column("restored", one.counts.lazy.map(\.restored))
            json.column("live", one.live)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }

    /// Lines of a table for spreadsheets (RFC 4180).
    var csv: [UInt8] {
        var lines = ["type,start,created,deleted,restored,live"]
        for one in series {
            let type = Self.cell(one.type.text)
            for place in starts.indices {
                let counts = one.counts[place]
                lines.append(
                    "\(type),\(CivilDate(starts[place])),\(counts.created),\(counts.deleted),\(counts.restored),\(one.live[place])"
                )
            }
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// A text as a cell that no spreadsheet takes for a formula.
    private static func cell(_ text: String) -> String {
        let plain = text.first.map { "=+-@\t\r".contains($0) } == true ? "'" + text : text
        guard plain.contains(where: { "\",\r\n".contains($0) }) else { return plain }
        return "\"" + plain.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

extension JSONWriter {
    mutating func column(_ name: StaticString, _ numbers: some Swift.Sequence<Int64>) {
        key(name)
        beginArray()
        for number in numbers { int64(number) }
        endArray()
    }
}
