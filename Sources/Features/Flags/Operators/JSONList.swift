import Audience
import CloudKitWire

/// A list in a field of a flag, `rules` or `schedule`, whose elements are kept as written, including unknown members.
struct JSONList {
    var elements: [Bytes] = []

    typealias Bytes = ArraySlice<UInt8>

    /// - Parameter text: nil or empty for an empty list.
    init(_ text: String?) throws(WireError) {
        guard let text, !text.isEmpty else { return }
        var json = try JSONReader(Array(text.utf8)[...])
        var elements: [Bytes] = []
        try json.readArray { json, _ throws(WireError) in elements.append(try json.skipValue()) }
        try json.finish()
        self.elements = elements
    }

    var text: String {
        String(
            decoding: Array("[".utf8) + Array(elements.joined(separator: Array(",".utf8))) + Array("]".utf8),
            as: UTF8.self)
    }

    /// The string that an element has for a key; nil if there is none.
    static func string(_ key: String, of element: Bytes) -> String? {
        do throws(WireError) {
            var found: String?
            var json = try JSONReader(element)
            try json.readObject { json, name throws(WireError) in
                guard name.name == Name(key), try json.kind == .string else { return }
                found = String(decoding: try json.readString(), as: UTF8.self)
            }
            return found
        } catch {
            return nil
        }
    }

    /// The IDs of rules; a rule without one is identified by its number, from 1.
    var ruleIDs: [String] { elements.enumerated().map { Self.string("id", of: $1) ?? "\($0 + 1)" } }

    /// Without past switches of a schedule.
    func later(than now: Int64) -> JSONList {
        var list = self
        list.elements.removeAll { element in
            Self.string("at", of: element).flatMap(Moment.milliseconds).map { $0 <= now } ?? false
        }
        return list
    }
}
