import Foundation

/// A published record of content.
public struct ContentItem: Sendable, Hashable, Codable, Identifiable {
    /// The name of the record.
    public let id: String
    /// The record type.
    public let type: String
    /// Differs after each change of the record.
    public var changeTag: String
    public var fields: [String: ContentValue]

    public init(id: String, type: String, changeTag: String = "", fields: [String: ContentValue] = [:]) {
        (self.id, self.type, self.changeTag, self.fields) = (id, type, changeTag, fields)
    }

    public subscript(field: String) -> ContentValue? {
        get { fields[field] }
        set { fields[field] = newValue }
    }

    /// Decodes the fields as a type of the app: each under its name, and the name of the record under `id` unless a field has that
    /// name. Dates, bytes and files are `Date`, `Data` and ``ContentFile``, references are the names of records, locations are
    /// objects with `latitude` and `longitude`. A list of files has ``ContentFile``s.
    ///
    ///     struct Chibi: Decodable { var id: String; var title: String; var publishedAt: Date }
    ///     let chibi = try item.decoded(as: Chibi.self)
    ///
    /// - Throws: ``ContentFault`` of kind `unreadable`, if a field is missing or has an unexpected type. Handle it per item, so
    ///   that one invalid item does not hide the others.
    public func decoded<Value: Decodable>(as type: Value.Type) throws(ContentFault) -> Value {
        var members = fields.mapValues { PlainValue(value: $0) }
        if members["id"] == nil { members["id"] = PlainValue(value: .string(id)) }
        do {
            return try JSONDecoder().decode(type, from: JSONEncoder().encode(members))
        } catch {
            throw ContentFault(.unreadable, "the record \(id) cannot be read as \(type): \(error)")
        }
    }

    /// The item in the form that is cached.
    var kept: ContentItem {
        var item = self
        item.fields = fields.mapValues(\.kept)
        return item
    }
}

/// A value in the form of Swift's own types.
private struct PlainValue: Encodable {
    let value: ContentValue

    func encode(to encoder: any Encoder) throws {
        var plain = encoder.singleValueContainer()
        switch value {
        case .string(let value), .reference(let value): try plain.encode(value)
        case .integer(let value): try plain.encode(value)
        case .double(let value): try plain.encode(value)
        case .date(let value): try plain.encode(value)
        case .bytes(let value): try plain.encode(value)
        case .file(let value): try plain.encode(value)
        case .location(let latitude, let longitude): try plain.encode(["latitude": latitude, "longitude": longitude])
        case .list(let values): try plain.encode(values.map { PlainValue(value: $0) })
        }
    }
}
