import CloudKitWire
import Foundation
import NephosTransport

extension ContentValue {
    /// The most elements of all lists of a response. An element takes many times the two bytes of `1,`.
    private static let elementsMax = 1_000_000

    /// Parses a field: `{"value":…,"type":"STRING"}`. - Returns: nil for a type that this version does not know, and for a missing
    /// value.
    ///
    /// - Parameter elements: The number of elements of all lists of the response so far.
    init?(field json: inout JSONReader, counting elements: inout Int) throws(WireError) {
        var (value, type): (JSONReader?, FieldType?) = (nil, nil)
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "value": value = try json.readLater()
            case "type": type = FieldType(tag: String(decoding: try json.readString(), as: UTF8.self))
            default: return
            }
        }
        guard var value, let type, try value.kind != .null else { return nil }
        guard let element = type.element else {
            if type == .unknownList {
                self = .list([])
                return
            }
            self = try ContentValue(&value, type)
            return
        }
        var list: [ContentValue] = []
        try value.readArray { json, _ throws(WireError) in
            elements += 1
            guard elements <= Self.elementsMax else {
                throw WireError("the lists have more than \(Self.elementsMax) elements", isLimit: true)
            }
            list.append(try ContentValue(&json, element))
        }
        self = .list(list)
    }

    private init(_ json: inout JSONReader, _ type: FieldType) throws(WireError) {
        switch type {
        case .string: self = .string(try json.text())
        case .int64: self = .integer(try json.readInt64())
        case .double: self = .double(try json.readDouble())
        case .timestamp: self = .date(Date(milliseconds: try json.readInt64()))
        case .bytes:
            let start = json.offset
            guard let bytes = Data(base64Encoded: try json.text()) else {
                throw WireError("bytes are not valid base64", offset: start)
            }
            self = .bytes(bytes)
        case .asset: self = .file(try ContentFile(&json))
        case .reference:
            var name = ""
            try json.readObject { json, key throws(WireError) in
                if case "recordName" = key { name = try json.text() }
            }
            self = .reference(name)
        case .location:
            var (latitude, longitude) = (0.0, 0.0)
            try json.readObject { json, key throws(WireError) in
                switch key {
                case "latitude": latitude = try json.readDouble()
                case "longitude": longitude = try json.readDouble()
                default: return
                }
            }
            self = .location(latitude: latitude, longitude: longitude)
        default: throw WireError("a value has an unknown type", offset: json.offset)
        }
    }
}

extension ContentFile {
    fileprivate init(_ json: inout JSONReader) throws(WireError) {
        self.init(size: 0)
        var file = self
        try json.readObject { json, key throws(WireError) in
            switch key {
            case "fileChecksum": file.checksum = try json.text()
            case "size": file.size = try json.readInt64()
            // The URL may contain a placeholder for the file name, whose value does not matter.
            case "downloadURL": file.url = URL(web: try json.text().replacing("${f}", with: "file"))
            default: return
            }
        }
        guard file.size >= 0 else { throw WireError("a file has a negative size") }
        self = file
    }
}

extension JSONReader {
    fileprivate mutating func text() throws(WireError) -> String { String(decoding: try readString(), as: UTF8.self) }
}
