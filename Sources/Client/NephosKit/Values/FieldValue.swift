import CoreLocation
import Foundation

/// A field's value, of the types that records have.
enum FieldValue: @unchecked Sendable {
    case string(String)
    case int64(Int64)
    case double(Double)
    case date(Date)
    case data(Data)
    case reference(CKReference)
    case asset(CKAsset)
    case location(CLLocation)
    indirect case list([FieldValue])
    /// A value that a record cannot hold, with the reason. The value can be read, but the save of its record fails.
    /// (The case is indirect so that it does not increase the size of all other values.)
    indirect case unsupported(Any, String)

    /// Creates a field value from any value that a program may assign to a field.
    init(_ value: any CKRecordValueProtocol) { self.init(any: value) }

    /// Creates a field value from an object, or from the Swift value that Foundation converted an object to.
    init(any value: Any) {
        if let value = Self.plain(value) {
            self = value
            return
        }
        switch value {
        case let value as CKReference: self = .reference(value)
        case let value as CKAsset: self = .asset(value)
        case let value as CLLocation: self = .location(value)
        case let value as String: self = .string(value)
        case let value as NSNumber: self.init(value)
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let value as [Any]: self.init(list: value)
        default:
            if let number = Self.number(value) {
                self.init(number)
            } else {
                self = .unsupported(value, "a value of type \(type(of: value)) cannot be in a record")
            }
        }
    }

    /// Converts values of the most common types, which are distinguished by their exact type: dynamic casts to every
    /// possible type are slow.
    private static func plain(_ value: Any) -> FieldValue? {
        let type = ObjectIdentifier(type(of: value))
        if type == ObjectIdentifier(String.self) { return (value as? String).map(FieldValue.string) }
        if type == ObjectIdentifier(Int.self) { return (value as? Int).map { .int64(Int64($0)) } }
        if type == ObjectIdentifier(Double.self) { return (value as? Double).map(FieldValue.double) }
        if type == ObjectIdentifier(Bool.self) { return (value as? Bool).map { .int64($0 ? 1 : 0) } }
        if type == ObjectIdentifier(Date.self) { return (value as? Date).map(FieldValue.date) }
        if type == ObjectIdentifier(Data.self) { return (value as? Data).map(FieldValue.data) }
        if type == ObjectIdentifier([String].self) {
            return (value as? [String]).map { .list($0.map(FieldValue.string)) }
        }
        if type == ObjectIdentifier([Int].self) { return (value as? [Int]).map { .list($0.map { .int64(Int64($0)) }) } }
        if type == ObjectIdentifier([Double].self) {
            return (value as? [Double]).map { .list($0.map(FieldValue.double)) }
        }
        if type == ObjectIdentifier([CKReference].self) {
            return (value as? [CKReference]).map { .list($0.map(FieldValue.reference)) }
        }
        return nil
    }

    private static func number(_ value: Any) -> NSNumber? {
        switch value {
        case let value as Bool: NSNumber(value: value)
        case let value as Float: NSNumber(value: Double(value))
        case let value as Double: NSNumber(value: value)
        case let value as any BinaryInteger: Int64(exactly: value).map { NSNumber(value: $0) }
        default: nil
        }
    }

    private init(_ number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"), UInt8(ascii: "I"):
            let value = number.uint64Value
            self =
                Int64(exactly: value).map(FieldValue.int64)
                ?? .unsupported(number, "\(value) is too large: integers have 64 bits with a sign")
        default: self = .int64(number.int64Value)
        }
    }

    private init(list: [Any]) {
        let values = list.map { FieldValue(any: $0) }
        for value in values {
            switch value {
            case .unsupported(_, let reason): self = .unsupported(list, reason); return
            case .list: self = .unsupported(list, "a list cannot contain lists"); return
            default: continue
            }
        }
        guard Set(values.map(\.kind)).count <= 1 || Set(values.map(\.kind)) == ["INT64", "DOUBLE"] else {
            self = .unsupported(list, "the values of a list must all have one type")
            return
        }
        // In a list that contains both, integers become doubles.
        let isMixed = Set(values.map(\.kind)).count > 1
        self = .list(
            isMixed
                ? values.map { if case .int64(let value) = $0 { .double(Double(value)) } else { $0 } }
                : values)
    }

    /// The name of the type in the protocol; for a list, the name of the type of its elements.
    private var kind: String {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .date: "TIMESTAMP"
        case .data: "BYTES"
        case .reference: "REFERENCE"
        case .asset: "ASSETID"
        case .location: "LOCATION"
        case .list(let values): values.first?.kind ?? ""
        case .unsupported: ""
        }
    }

    /// The name of the type in the protocol; nil for an empty list, whose elements have no type, and for an unsupported
    /// value.
    var wireType: String? {
        switch self {
        case .list(let values): values.first.map { "\($0.kind)_LIST" }
        case .unsupported: nil
        default: kind
        }
    }

    /// The value as an object, as programs read it.
    var object: any __CKRecordObjCValue {
        switch self {
        case .string(let value): NSString(string: value)
        case .int64(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .date(let value): value as NSDate
        case .data(let value): value as NSData
        case .reference(let value): value
        case .asset(let value): value
        case .location(let value): value
        case .list(let values): NSArray(array: values.map(\.object))
        case .unsupported(let value, let reason):
            (value as? any __CKRecordObjCValue) ?? NSString(string: "(\(reason))")
        }
    }
}
