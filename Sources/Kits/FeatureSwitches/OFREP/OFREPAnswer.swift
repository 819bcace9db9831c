import CloudKitWire
import Foundation

/// Reads OFREP's response to a bulk evaluation; the saved file has the same format.
extension FlagValues {
    /// Maximum number of flags in one response.
    private static let flagsMax = 10_000

    /// - Parameter base: The URL that was requested: stream URLs may be relative to it.
    init(ofrep bytes: [UInt8], tag: String?, base: URL?) throws(WireError) {
        var json = try JSONReader(bytes[...], limits: JSONLimits(depth: 128))
        var answers: [FlagAnswer]?
        var stream: URL?
        var count = 0
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "flags":
                var all: [FlagAnswer] = []
                try json.readArray { json, place throws(WireError) in
                    guard place < Self.flagsMax else {
                        throw WireError("more than \(Self.flagsMax) flags", isLimit: true)
                    }
                    all.append(try FlagAnswer(ofrep: &json, counting: &count))
                }
                answers = all
            case "eventStreams":
                guard try json.kind == .array else { return }
                try json.readArray { json, _ throws(WireError) in
                    guard let address = try Self.stream(&json, &count), stream == nil else { return }
                    stream = URL(string: address, relativeTo: base)?.absoluteURL
                }
            default: return
            }
        }
        try json.finish()
        guard let answers else { throw WireError("the answer has no flags") }
        self.init(answers, tag: tag, stream: stream)
    }

    /// The URL of an event stream; nil for anything else.
    private static func stream(_ json: inout JSONReader, _ count: inout Int) throws(WireError) -> String? {
        guard case .object(let stream) = try FlagValue(&json, counting: &count),
            stream["type"]?.stringValue == "sse"
        else { return nil }
        return stream["url"]?.stringValue
    }
}

extension FlagAnswer {
    /// Reads one flag, or why it has no value.
    ///
    /// - Parameter count: The number of values of the document so far.
    init(ofrep json: inout JSONReader, counting count: inout Int) throws(WireError) {
        let start = json.offset
        guard case .object(let answer) = try FlagValue(&json, counting: &count),
            let id = answer["key"]?.stringValue
        else {
            throw WireError("a flag has no key", offset: start)
        }
        if let code = answer["errorCode"]?.stringValue {
            let details = answer["errorDetails"]?.stringValue ?? code
            self.init(id: id, error: FlagError(code: code, message: details))
        } else if let value = answer["value"] {
            let reason = answer["reason"]?.stringValue.map { FlagReason(rawValue: $0) } ?? .static
            self.init(id: id, value: value, variant: answer["variant"]?.stringValue, reason: reason)
            if case .object(let metadata) = answer["metadata"] { self.metadata = metadata }
        } else {
            throw WireError("the flag \(WireError.excerpt(id)) has neither a value nor an error", offset: start)
        }
    }

    /// The flag in the format that ``init(ofrep:counting:)`` reads.
    var ofrep: FlagValue {
        var members: [String: FlagValue] = ["key": .string(id)]
        switch value {
        case .success(let value):
            members["value"] = value
            members["variant"] = variant.map { .string($0) }
            members["reason"] = .string(reason.rawValue)
            if !metadata.isEmpty { members["metadata"] = .object(metadata) }
        case .failure(let error):
            members["errorCode"] = .string(error.code)
            members["errorDetails"] = .string(error.message)
        }
        return .object(members)
    }
}
