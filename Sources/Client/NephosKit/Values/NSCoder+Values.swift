import Foundation

extension NSCoder {
    /// Writes an object unless it is nil. (On Linux, a program that reads a value written as nil crashes.)
    func encodeIfAny(_ object: (any NSSecureCoding)?, forKey key: String) {
        if let object { encode(object, forKey: key) }
    }

    /// Reads an object; nil if no object was written, or an object of another class.
    func decodeIfAny<Object: NSObject & NSSecureCoding>(_ type: Object.Type, forKey key: String) -> Object? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    func decodeString(forKey key: String) -> String? { decodeIfAny(NSString.self, forKey: key).map { String($0) } }
}
