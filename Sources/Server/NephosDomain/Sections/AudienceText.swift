package import Audience
package import CloudKitWire
package import NephosStorage

/// Who a record is for, as the value of a field: the name of an audience in the settings, or a condition as JSON
/// (docs/audiences.md).
package enum AudienceText {
    /// The maximum size of the field, in bytes.
    package static let bytesMax = 4_096

    /// - Parameter text: Empty for everybody.
    /// - Returns: nil for everybody.
    /// - Throws: Why the text is not valid.
    package static func condition(_ text: Bytes) throws(WireError) -> Condition? {
        guard let first = text.first(where: { $0 != UInt8(ascii: " ") }) else { return nil }
        guard text.count <= bytesMax else { throw WireError("it has more than \(bytesMax) bytes", isLimit: true) }
        guard first == UInt8(ascii: "{") else { return .audience(String(decoding: text, as: UTF8.self)) }
        var json = try JSONReader(text)
        // Records with the same text share one random draw.
        var reader = ConditionReader(salt: String(decoding: text, as: UTF8.self))
        let condition = try reader.read(&json)
        try json.finish()
        return condition
    }

    package static func isReadable(_ text: Bytes) -> Bool {
        do throws(WireError) {
            _ = try condition(text)
            return true
        } catch {
            return false
        }
    }

    /// Why a save is not valid; nil if it is.
    package static func flaw(_ text: Bytes, _ audiences: AudienceBook) -> String? {
        do throws(WireError) {
            guard let condition = try condition(text) else { return nil }
            guard let missing = audiences.missingAudience(of: condition) else { return nil }
            return
                "there is no audience '\(missing.prefix(40))': add it with nephos settings import, or write a condition such as {\"locale\":\"es\"}"
        } catch {
            return "write the name of an audience, or a condition as JSON such as {\"locale\":\"es\"}: \(error)"
        }
    }
}
