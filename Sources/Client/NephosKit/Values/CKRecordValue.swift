public import CoreLocation
public import Foundation

/// A value that a field of a record can hold, as a Swift type.
///
/// Do not add this protocol to types of your own: their values can be assigned to a field, but the save then fails with
/// `invalidArguments`.
public protocol CKRecordValueProtocol {}

/// A value that a field of a record can hold. On Apple's platforms only objects conform to this protocol, and Swift
/// values are converted to objects. Here both conform to it, so that `"text" as CKRecordValue` has the same meaning.
public protocol __CKRecordObjCValue: CKRecordValueProtocol {}
/// A value that a field of a record can hold. Write `as CKRecordValue` as on Apple's platforms.
public typealias CKRecordValue = __CKRecordObjCValue

extension String: __CKRecordObjCValue {}
extension Date: __CKRecordObjCValue {}
extension Data: __CKRecordObjCValue {}
extension Bool: __CKRecordObjCValue {}
extension Double: __CKRecordObjCValue {}
extension Float: __CKRecordObjCValue {}
extension Int: __CKRecordObjCValue {}
extension Int8: __CKRecordObjCValue {}
extension Int16: __CKRecordObjCValue {}
extension Int32: __CKRecordObjCValue {}
extension Int64: __CKRecordObjCValue {}
extension UInt: __CKRecordObjCValue {}
extension UInt8: __CKRecordObjCValue {}
extension UInt16: __CKRecordObjCValue {}
extension UInt32: __CKRecordObjCValue {}
extension UInt64: __CKRecordObjCValue {}
extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {}
extension Array: __CKRecordObjCValue where Element: CKRecordValueProtocol {}

extension NSString: __CKRecordObjCValue {}
extension NSDate: __CKRecordObjCValue {}
extension NSData: __CKRecordObjCValue {}
extension NSNumber: __CKRecordObjCValue {}
extension NSArray: __CKRecordObjCValue {}
extension CKReference: __CKRecordObjCValue {}
extension CKAsset: __CKRecordObjCValue {}
extension CLLocation: __CKRecordObjCValue {}

/// Access to fields by name: all fields of a record, or its encrypted fields.
///
/// Setting nil removes a field. Fields are read as objects (`NSString`, `NSNumber`, `NSDate`, …), which `as?` converts
/// to the Swift type that you need.
public protocol CKRecordKeyValueSetting: AnyObject {
    /// Returns the value of a field as an object, or nil if the field has no value.
    func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)?
    /// Sets a field to an object, or removes its value if the object is nil. The change is sent when the record is
    /// saved.
    func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey)
    /// The value of a field as an object, where the context does not determine a type.
    subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? { get set }
    /// Returns the names of the fields that have a value, in no particular order.
    func allKeys() -> [CKRecord.FieldKey]
    /// Returns the names of the fields that were set since the record was created, fetched or saved, in no particular
    /// order.
    func changedKeys() -> [CKRecord.FieldKey]
    /// Sets a field to a value, which need not be an object, or removes its value if it is nil.
    func setValue(_ value: (any CKRecordValueProtocol)?, ofField key: CKRecord.FieldKey)
}

extension CKRecordKeyValueSetting {
    /// The value of a field as the requested type; nil if the field has no value, or a value of another type.
    public subscript<T>(key: CKRecord.FieldKey) -> T? where T: CKRecordValueProtocol {
        get { object(forKey: key) as? T }
        set { setValue(newValue, ofField: key) }
    }

    /// The value of a field as an object, for code that does not name a type.
    public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
        get { object(forKey: key) }
        set { setValue(newValue, ofField: key) }
    }
}
