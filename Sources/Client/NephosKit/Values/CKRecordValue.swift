public import CoreLocation
public import Foundation

/// What a field of a record may hold, as Swift sees it.
///
/// A type of your own that takes this on can be written down, and the save fails with `invalidArguments`.
public protocol CKRecordValueProtocol {}

/// What a field of a record may hold. On Apple's platforms this is for objects only, and Swift's values become objects; here
/// both take it on, so that `"text" as CKRecordValue` means the same.
public protocol __CKRecordObjCValue: CKRecordValueProtocol {}
/// What a field of a record may hold. Write `as CKRecordValue` as on Apple's platforms.
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

/// Fields by their names: a record, or the encrypted ones of a record.
///
/// Setting nil removes a field. Reading gives objects (`NSString`, `NSNumber`, `NSDate`, …), which `as?` turns into the Swift
/// value that is asked for.
public protocol CKRecordKeyValueSetting: AnyObject {
    /// The value of a field as an object, or nil where the field has none.
    func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)?
    /// Sets a field to an object, or removes its value with nil. It is sent when the record is saved.
    func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey)
    /// What a value is where nothing says of which type it is to be.
    subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? { get set }
    /// Fields that have a value, in no order.
    func allKeys() -> [CKRecord.FieldKey]
    /// Fields that were set since the record was made, fetched or saved, in no order.
    func changedKeys() -> [CKRecord.FieldKey]
    /// Sets what is no object too.
    func setValue(_ value: (any CKRecordValueProtocol)?, ofField key: CKRecord.FieldKey)
}

extension CKRecordKeyValueSetting {
    /// The value of a field as the type that is asked for; nil where the field has none, or one of another type.
    public subscript<T>(key: CKRecord.FieldKey) -> T? where T: CKRecordValueProtocol {
        get { object(forKey: key) as? T }
        set { setValue(newValue, ofField: key) }
    }

    /// The value of a field as an object, for code that names no type.
    public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
        get { object(forKey: key) }
        set { setValue(newValue, ofField: key) }
    }
}
