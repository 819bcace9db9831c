import CloudKitWire
import NephosRunner

extension TrendSettings {
    /// The section as JSON, which reads back as the same settings. Defaults are left out.
    var document: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        if zone != Self.standard.zone { json.member("zone", zone) }
        if let types { json.names("types", types) }
        if !privateTypes.isEmpty { json.names("private", privateTypes) }
        json.parts("lists", lists)
        json.parts("splits", splits)
        if !alarms.isEmpty {
            json.key("alarms")
            json.beginArray()
            for alarm in alarms { json.write(alarm) }
            json.endArray()
        }
        if hasMetrics { json.member("metrics", true) }
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func names(_ key: StaticString, _ names: [Name]) {
        self.key(key)
        beginArray()
        for name in names { string(name.text) }
        endArray()
    }

    fileprivate mutating func parts(_ key: StaticString, _ parts: [TrendPart]) {
        guard !parts.isEmpty else { return }
        self.key(key)
        beginArray()
        for part in parts {
            beginObject()
            member("type", part.type.text)
            member("field", part.field.text)
            if let of = part.of, part.kind != .newest { member("of", of) }
            endObject()
        }
        endArray()
    }

    fileprivate mutating func write(_ alarm: TrendAlarm) {
        beginObject()
        member("type", alarm.type.text)
        switch alarm.target {
        case .webhook(let address): member("webhook", address.url)
        case .mail(let address): member("mail", address.text)
        }
        endObject()
    }
}
