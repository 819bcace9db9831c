import Audience
import CloudKitWire
import NephosRunner

/// A rule as JSON, from what an operator typed.
struct RuleText {
    /// The ID of the rule that serves a share of all people.
    static let rollout = "rollout"

    let json: JSONList.Bytes

    /// - Parameters:
    ///   - when: A condition as JSON; nil for everybody.
    ///   - serve: The name of a variant, or the value of a rule's `serve`, as JSON.
    init(when: String?, serve: String, id: String?) throws(Failure) {
        var json = JSONWriter()
        json.beginObject()
        if let id { json.member("id", id) }
        if let when { json.member("when", raw: try Self.value(when, "--when", such: #"{"locale":"en"}"#)) }
        if serve.hasPrefix("{") || serve.hasPrefix("\"") {
            json.member("serve", raw: try Self.value(serve, "--serve", such: #"{"split":{"on":25000,"off":75000}}"#))
        } else {
            json.member("serve", serve)
        }
        json.endObject()
        self.json = json.bytes[...]
    }

    /// Serves a share of all people. For all or none, no targetingKey is needed.
    init(_ share: Share, on: String, off: String) {
        var json = JSONWriter()
        json.beginObject()
        json.member("id", Self.rollout)
        let count = Int64(Bucket.count)
        switch share.thousandths {
        case 0: json.member("serve", off)
        case count: json.member("serve", on)
        default:
            json.key("serve")
            json.beginObject()
            json.key("split")
            json.beginObject()
            json.key(named: Name(on))
            json.int64(share.thousandths)
            json.key(named: Name(off))
            json.int64(count - share.thousandths)
            json.endObject()
            json.endObject()
        }
        json.endObject()
        self.json = json.bytes[...]
    }

    private static func value(_ text: String, _ option: String, such example: String) throws(Failure) -> JSONList.Bytes
    {
        do throws(WireError) {
            var reader = try JSONReader(Array(text.utf8)[...])
            let value = try reader.skipValue()
            try reader.finish()
            return value
        } catch {
            throw Failure(
                "\(option): \(WireError.excerpt(text)) is not valid JSON. It must be a JSON object, such as \(example).",
                kind: .wrongUsage)
        }
    }
}
