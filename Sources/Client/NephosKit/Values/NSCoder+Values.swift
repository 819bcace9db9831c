import Foundation

extension NSCoder {
    /// Writes an object, if there is one. (What is written as nil stops a program that reads it, on Linux.)
    func encodeIfAny(_ object: (any NSSecureCoding)?, forKey key: String) {
        if let object { encode(object, forKey: key) }
    }

    /// Reads an object; nil where none was written, or one of another class.
    func decodeIfAny<Object: NSObject & NSSecureCoding>(_ type: Object.Type, forKey key: String) -> Object? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    func decodeString(forKey key: String) -> String? { decodeIfAny(NSString.self, forKey: key).map { String($0) } }
}
