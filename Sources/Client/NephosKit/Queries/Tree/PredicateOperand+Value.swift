import CoreLocation
import Foundation

extension PredicateOperand {
    /// Creates an operand from a value that a program passed to a format, or from the value of a record's field.
    init(value: Any) {
        if let constant = Self.scalar(value) {
            self = .constant(constant)
        } else if let elements = Self.elements(value) {
            self = Self.list(elements.map(PredicateOperand.init(value:)))
        } else {
            self = .unsupported("\(type(of: value)) is not a type of value that CloudKit compares, or is out of range")
        }
    }

    /// Returns a list of constants, or an unsupported operand if an element is not a constant.
    static func list(_ elements: [PredicateOperand]) -> PredicateOperand {
        var constants: [PredicateConstant] = []
        for element in elements {
            switch element {
            case .constant(let constant): constants.append(constant)
            case .unsupported: return element
            case .field, .itself: return .unsupported("a list can contain only constants")
            }
        }
        return .constant(.list(constants))
    }

    private static func scalar(_ value: Any) -> PredicateConstant? {
        // Objects are tested first, because an NSNumber can be cast to Bool.
        switch value {
        case let object as NSObject where type(of: value) is AnyClass: scalar(of: object)
        case let text as String: .string(text)
        case let truth as Bool: .int64(truth ? 1 : 0)
        case let number as any BinaryInteger: Int64(exactly: number).map { .int64($0) } ?? .double(Double(number))
        case let number as any BinaryFloatingPoint: PredicateConstant(number: Double(number))
        case let date as Date: PredicateConstant(secondsSince1970: date.timeIntervalSince1970)
        case let data as Data: .bytes(Array(data))
        default: nil
        }
    }

    private static func scalar(of object: NSObject) -> PredicateConstant? {
        switch object {
        case let text as NSString: .string(String(text))
        case let number as NSNumber: scalar(of: number)
        case let date as NSDate: PredicateConstant(secondsSince1970: date.timeIntervalSince1970)
        case let data as NSData: .bytes(Array(Data(data)))
        case is NSNull: .null
        case let location as CLLocation:
            PredicatePlace(latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
                .map { .location($0) }
        case let record as CKRecord: .reference(PredicateReference(record.recordID))
        case let reference as CKReference: .reference(PredicateReference(reference.recordID))
        case let recordID as CKRecordID: .reference(PredicateReference(recordID))
        default: nil
        }
    }

    private static func scalar(of number: NSNumber) -> PredicateConstant? {
        switch Character(Unicode.Scalar(UInt8(bitPattern: number.objCType.pointee))) {
        case "d", "f": PredicateConstant(number: number.doubleValue)
        case "Q" where number.uint64Value > UInt64(Int64.max): .double(Double(number.uint64Value))
        default: .int64(number.int64Value)
        }
    }

    private static func elements(_ value: Any) -> [Any]? {
        switch value {
        case let array as NSArray where type(of: value) is AnyClass: (0..<array.count).map { array[$0] }
        case let set as NSSet where type(of: value) is AnyClass: set.allObjects
        case let array as [Any]: array
        case let set as Set<AnyHashable>: set.map(\.base)
        default: nil
        }
    }
}

extension PredicateReference {
    init(_ recordID: CKRecordID) {
        self.init(
            recordName: recordID.recordName, zoneName: recordID.zoneID.zoneName, ownerName: recordID.zoneID.ownerName)
    }
}
