import CloudKitWire
import Foundation

/// A value as it is typed. Its type is guessed from its form, unless it has a prefix: `stringType:123`.
///
/// Numbers and texts are sent without a type, so that the schema decides between INT64 and DOUBLE.
struct ValueText {
    private let tag: FieldType?
    private let text: String

    init(_ text: String) throws(Failure) {
        if let colon = text.firstIndex(of: ":"), let type = FieldsText.type(named: String(text[..<colon]))?.type {
            tag = type
            self.text = String(text[text.index(after: colon)...])
        } else {
            tag = Self.guess(text)
            self.text = text
        }
    }

    private static func guess(_ text: String) -> FieldType? {
        if Int64(text) != nil || isNumber(text) { return nil }
        if location(text) != nil { return .location }
        return DateText.milliseconds(text) != nil ? .timestamp : nil
    }

    /// `6.1`, but not `nan`, `0x1p3` or `1e400`.
    private static func isNumber(_ text: String) -> Bool {
        Double(text)?.isFinite == true && text.utf8.allSatisfy { "+-.0123456789eE".utf8.contains($0) }
    }

    private static func location(_ text: String) -> (Double, Double)? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0).trimmingCharacters(in: .whitespaces)
        }
        guard parts.count == 2, parts.allSatisfy(isNumber), let latitude = Double(parts[0]),
            let longitude = Double(parts[1])
        else { return nil }
        return (latitude, longitude)
    }

    /// Writes a field value dictionary.
    func write(to json: inout JSONWriter) throws(Failure) {
        json.beginObject()
        if let tag { json.member("type", tag.tag) }
        json.key("value")
        try writeValue(to: &json)
        json.endObject()
    }

    private func writeValue(to json: inout JSONWriter) throws(Failure) {
        switch tag {
        case .timestamp:
            guard let time = DateText.milliseconds(text) ?? Int64(text) else {
                throw Failure("This is not a valid time: \(text)", kind: .wrongUsage)
            }
            json.int64(time)
        case .location:
            guard let (latitude, longitude) = Self.location(text) else {
                throw Failure("A location must be LATITUDE,LONGITUDE, not: \(text)", kind: .wrongUsage)
            }
            json.beginObject()
            json.key("latitude")
            json.double(latitude)
            json.key("longitude")
            json.double(longitude)
            json.endObject()
        case .reference:
            json.beginObject()
            json.member("recordName", text)
            json.endObject()
        case nil, .int64, .double:
            if let number = Int64(text) {
                json.int64(number)
            } else if Self.isNumber(text), let number = Double(text) {
                json.double(number)
            } else if tag != nil {
                throw Failure("This is not a valid number: \(text)", kind: .wrongUsage)
            } else {
                json.string(text)
            }
        default: json.string(text)
        }
    }

    /// Writes a comma-separated list.
    static func write(list text: String, to json: inout JSONWriter) throws(Failure) {
        var elements = text.split(separator: ",").map { String($0).trimmingCharacters(in: .whitespaces) }
        var type: FieldType?
        if let first = elements.first, let colon = first.firstIndex(of: ":"),
            let said = FieldsText.type(named: String(first[..<colon]))?.type
        {
            type = said
            elements[0] = String(first[first.index(after: colon)...])
        }
        json.beginObject()
        if let list = type.flatMap({ $0.isList ? $0 : $0.list }) { json.member("type", list.tag) }
        json.key("value")
        json.beginArray()
        for element in elements {
            let value = try ValueText(
                type?.element == nil && type != nil ? "\(type?.cktoolName ?? ""):\(element)" : element)
            try value.writeValue(to: &json)
        }
        json.endArray()
        json.endObject()
    }
}
