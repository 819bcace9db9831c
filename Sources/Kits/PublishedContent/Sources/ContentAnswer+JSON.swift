import CloudKitWire
import Foundation

extension ContentAnswer {
    private static let positionBytesMax = 4_096

    /// Parses the response to `pick`, `list` and `records/lookup`.
    ///
    /// - Parameter count: The number of records that were requested. More are an error.
    init(json bytes: [UInt8], count: Int) throws(WireError) {
        self.init()
        var json = try JSONReader(bytes[...])
        var answer = self
        var elements = 0
        var hasRecords = false
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "records":
                hasRecords = true
                try json.readArray { json, index throws(WireError) in
                    guard index < count else { throw WireError("more than \(count) records", isLimit: true) }
                    // A record that cannot be parsed must not hide the others.
                    try json.read { json throws(WireError) in
                        answer.items.append(try ContentItem(&json, counting: &elements))
                    } orElse: { _, _ in
                        answer.unreadable += 1
                    }
                }
            case "eligible": answer.eligible = Int(clamping: try json.readInt64())
            case "why": answer.why = try ContentWhy(&json)
            case "changesAt": answer.changesAt = try json.readNull() ? nil : Date(milliseconds: json.readInt64())
            case "after":
                let position = try json.readString()
                // It is part of the URL of the next request.
                guard position.count <= Self.positionBytesMax else {
                    throw WireError("the position has more than \(Self.positionBytesMax) bytes", isLimit: true)
                }
                answer.after = String(decoding: position, as: UTF8.self)
            default: return
            }
        }
        try json.finish()
        guard hasRecords else { throw WireError("the answer has no records") }
        self = answer
    }
}

extension ContentWhy {
    fileprivate init(_ json: inout JSONReader) throws(WireError) {
        self.init()
        var why = self
        try json.readObject { json, key throws(WireError) in
            guard let count = Self.keys[key.name.text] else { return }
            why[keyPath: count] = Int(clamping: try json.readInt64())
        }
        self = why
    }

    private static let keys: [String: any WritableKeyPath<ContentWhy, Int> & Sendable] = [
        "early": \.early, "ended": \.ended, "locale": \.locale, "version": \.version, "platform": \.platform,
        "audience": \.audience, "access": \.access, "unreadable": \.unreadable,
    ]
}

extension ContentItem {
    /// Parses a record dictionary.
    ///
    /// - Parameter elements: The number of elements of all lists of the response so far.
    init(_ json: inout JSONReader, counting elements: inout Int) throws(WireError) {
        let start = json.offset
        var (name, type, tag): (String?, String?, String) = (nil, nil, "")
        var values: [String: ContentValue] = [:]
        func text(_ json: inout JSONReader) throws(WireError) -> String {
            String(decoding: try json.readString(), as: UTF8.self)
        }
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "recordName": name = try text(&json)
            case "recordType": type = try text(&json)
            case "recordChangeTag": tag = try text(&json)
            case "fields":
                try json.readObject { json, key throws(WireError) in
                    values[key.name.text] = try ContentValue(field: &json, counting: &elements)
                }
            default: return
            }
        }
        guard let name, let type else { throw WireError("a record has no name or no type", offset: start) }
        self.init(id: name, type: type, changeTag: tag, fields: values)
    }
}
