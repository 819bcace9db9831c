import CloudKitWire
import Foundation

/// Fields of a record as they are typed: JSON with the types of cktool (`stringType`) or of CloudKit Web Services
/// (`STRING`), or without types.
package struct FieldsText {
    /// In the format of CloudKit Web Services.
    package let json: [UInt8]

    package init(_ bytes: [UInt8]) throws(Failure) {
        var writer = JSONWriter()
        do throws(WireError) {
            var reader = try JSONReader(bytes[...])
            writer.beginObject()
            try reader.readObject { reader, key throws(WireError) in
                writer.key(named: key.name)
                try FieldsText.convert(&reader, to: &writer)
            }
            writer.endObject()
            try reader.finish()
        } catch {
            throw Failure(
                #"The fields must be a JSON object, such as {"title":{"value":"One"}}: \#(error.reason)"#,
                kind: .wrongUsage)
        }
        json = writer.bytes
    }

    /// The type that a cktool name means; nil for other words.
    static func type(named name: String) -> (type: FieldType, isEncrypted: Bool)? {
        guard name.hasSuffix("Type") else { return nil }
        var word = String(name.dropLast(4))
        let isEncrypted = word.hasPrefix("encrypted")
        if isEncrypted { word = String(word.dropFirst(9)) }
        let isList = word.hasSuffix("List")
        if isList { word = String(word.dropLast(4)) }
        let element = FieldType.allCases.first { !$0.isList && $0.word.lowercased() == word.lowercased() }
        guard let element, let type = isList ? element.list : element else { return nil }
        return (type, isEncrypted)
    }

    /// Copies one field value, with its type translated.
    private static func convert(_ reader: inout JSONReader, to writer: inout JSONWriter) throws(WireError) {
        guard try reader.kind == .object else { return writer.raw(try reader.skipValue()) }
        var start = reader
        let whole = try reader.skipValue()
        var type: (type: FieldType, isEncrypted: Bool)?
        var value: JSONReader?
        try start.readObject { reader, key throws(WireError) in
            switch key {
            case "type" where reader.kind(or: .null) == .string:
                type = FieldsText.type(named: String(decoding: try reader.readString(), as: UTF8.self))
            case "value": value = reader
            default: break
            }
        }
        guard let type, var value else { return writer.raw(whole) }
        writer.beginObject()
        writer.member("type", type.type.tag)
        if type.isEncrypted { writer.member("isEncrypted", true) }
        writer.key("value")
        try convert(&value, of: type.type, to: &writer)
        writer.endObject()
    }

    /// Times may be texts, and references may be record names.
    private static func convert(
        _ value: inout JSONReader, of type: FieldType, to writer: inout JSONWriter
    ) throws(WireError) {
        if let element = type.element, try value.kind == .array {
            writer.beginArray()
            try value.readArray { reader, _ throws(WireError) in
                try FieldsText.convert(&reader, of: element, to: &writer)
            }
            return writer.endArray()
        }
        let isText = try value.kind == .string
        switch type {
        case .timestamp where isText:
            let text = String(decoding: try value.readString(), as: UTF8.self)
            if let time = DateText.milliseconds(text) { writer.int64(time) } else { writer.string(text) }
        case .reference where isText:
            writer.beginObject()
            writer.key("recordName")
            writer.string(try value.readString())
            writer.endObject()
        default: writer.raw(try value.skipValue())
        }
    }
}

extension FieldType {
    /// As cktool spells it: `string`, `int64`.
    fileprivate var word: String { tag == "ASSETID" ? "asset" : tag.replacing("_", with: "").lowercased() }

    /// cktool's name of the type.
    var cktoolName: String { word + "Type" }
}

extension JSONReader {
    /// The kind of the next value, or `other` if it is not valid.
    fileprivate func kind(or other: Kind) -> Kind {
        do { return try kind } catch { return other }
    }
}
