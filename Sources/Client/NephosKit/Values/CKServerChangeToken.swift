public import Foundation

/// A place in the feed of a database or of a zone. Everything up to it was fetched. Keep it with what was fetched, and give it
/// to the next fetch of the same feed.
public final class CKServerChangeToken: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// As the server wrote it.
    let text: String

    init(_ text: String) { self.text = text }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKServerChangeToken)?.text == text }
    public override var hash: Int { text.hashValue }
    public override var description: String { "<CKServerChangeToken: \(text.count) characters>" }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encode(text as NSString, forKey: "syncToken") }

    /// Nil for an archive that holds no token.
    public required convenience init?(coder: NSCoder) {
        guard let text = coder.decodeString(forKey: "syncToken") else { return nil }
        self.init(text)
    }
}
