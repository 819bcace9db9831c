import CloudKitWire
import Foundation

extension PublishForm {
    /// The current publication of a record.
    public init(_ item: ContentItem, of type: ContentType) {
        self.init()
        (start, end) = (item[type.publishedAt]?.date, item[type.until]?.date)
        guard let audience = item[type.audience]?.string, audience.contains(where: { $0 != " " }) else { return }
        do throws(WireError) { try read(audience) } catch { (minimumVersion, languages) = ("", []) }
        if condition == nil { otherAudience = audience }
    }

    /// - Throws: An error for a condition that this form could not have created.
    private mutating func read(_ audience: String) throws(WireError) {
        var json = try JSONReader(Array(audience.utf8)[...])
        var (version, languages): (String?, [String]) = (nil, [])
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "app": version = String(decoding: try json.readString(), as: UTF8.self)
            case "locale":
                guard try json.kind == .array else {
                    languages = [String(decoding: try json.readString(), as: UTF8.self)]
                    return
                }
                try json.readArray { json, _ throws(WireError) in
                    languages.append(String(decoding: try json.readString(), as: UTF8.self))
                }
            default: throw WireError("another condition")
            }
        }
        try json.finish()
        if let version {
            guard version.hasPrefix(">=") else { throw WireError("another condition") }
            minimumVersion = String(version.dropFirst(2).drop { $0 == " " })
        }
        self.languages = languages
        guard !problems.contains(where: { $0.field != .end }) else { throw WireError("another condition") }
    }
}
