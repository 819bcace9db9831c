import CloudKitWire
import Foundation

extension PredicateConstant {
    /// Reads a field value: `{"value": …, "type": …}`. Returns nil for values of types that predicates do not support.
    init?(fieldValue reader: inout JSONReader) throws(WireError) {
        var value: JSONReader?
        var tag = ""
        try reader.readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            switch key {
            case "value": value = reader
            case "type": tag = try reader.readName().text
            default: break
            }
        }
        guard var value else { return nil }
        let type = FieldType(tag: tag)
        try self.init(&value, type?.element ?? type)
    }

    /// - Parameter type: The specified type of the value, or of the elements of a list; nil if none is specified.
    private init?(_ reader: inout JSONReader, _ type: FieldType?) throws(WireError) {
        switch try reader.kind {
        case .string: self.init(text: try reader.readName().text, type)
        case .number: self.init(digits: try reader.skipValue(), type)
        case .bool: self = .int64(try reader.readBool() ? 1 : 0)
        case .object: try self.init(object: &reader)
        case .array:
            var elements: [PredicateConstant?] = []
            try reader.readItems { reader throws(WireError) in
                elements.append(try PredicateConstant(&reader, type))
            }
            guard !elements.contains(nil) else { return nil }
            self = .list(elements.compactMap { $0 })
        case .null: return nil
        }
    }

    private init?(text: String, _ type: FieldType?) {
        switch type {
        case .int64, .timestamp, .double: self.init(digits: Array(text.utf8)[...], type)
        case .bytes:
            guard let data = Data(base64Encoded: text) else { return nil }
            self = .bytes(Array(data))
        case .reference: self = .reference(PredicateReference(recordName: text))
        default: self = .string(text)
        }
    }

    private init?(digits: ArraySlice<UInt8>, _ type: FieldType?) {
        let text = String(decoding: digits, as: UTF8.self)
        switch (type, Int64(text)) {
        case (.double, _): break
        case (.timestamp, let whole?):
            self = .timestamp(whole)
            return
        case (_, let whole?):
            self = .int64(whole)
            return
        case (.timestamp, nil): return nil
        case (_, nil): break
        }
        guard let value = Double(text) else { return nil }
        self.init(number: value)
    }

    private init?(object reader: inout JSONReader) throws(WireError) {
        var (latitude, longitude): (Double?, Double?)
        var reference: PredicateReference?
        var zone = (name: PredicateReference.defaultZone, owner: PredicateReference.currentUser)
        try reader.readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            switch key {
            case "latitude": latitude = try reader.readDouble()
            case "longitude": longitude = try reader.readDouble()
            case "recordName": reference = PredicateReference(recordName: try reader.readName().text)
            case "zoneID":
                try reader.readObject { reader, key throws(WireError) in
                    if try reader.readNull() { return }
                    switch key {
                    case "zoneName": zone.name = try reader.readName().text
                    case "ownerRecordName": zone.owner = try reader.readName().text
                    default: break
                    }
                }
            default: break
            }
        }
        if var reference {
            (reference.zoneName, reference.ownerName) = zone
            self = .reference(reference)
        } else if let latitude, let longitude, let place = PredicatePlace(latitude: latitude, longitude: longitude) {
            self = .location(place)
        } else {
            return nil
        }
    }
}
