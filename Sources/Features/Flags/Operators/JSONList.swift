import Audience
import CloudKitWire

/// A list in a field of a flag, `rules` or `schedule`, with its elements as they are written: what of them is not known here stays.
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

    /// The string that an element has under a key; nil where it has none.
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

    /// The ids of rules: by its number, from 1, one that has none.
    var ruleIDs: [String] { elements.enumerated().map { Self.string("id", of: $1) ?? "\($0 + 1)" } }

    /// Without the switches of a schedule that have come.
    func later(than now: Int64) -> JSONList {
        var list = self
        list.elements.removeAll { element in
            Self.string("at", of: element).flatMap(Moment.milliseconds).map { $0 <= now } ?? false
        }
        return list
    }
}
