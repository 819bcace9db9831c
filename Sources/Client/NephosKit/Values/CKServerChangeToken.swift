public import Foundation

/// A position in the changes of a database or of a zone, up to which everything was fetched. Store it together with the
/// fetched data, and pass it to the next fetch of changes from the same database or zone.
public final class CKServerChangeToken: NSObject, NSSecureCoding, NSCopying, Sendable {
    /// The token as the server sent it.
    let text: String

    init(_ text: String) { self.text = text }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKServerChangeToken)?.text == text }
    public override var hash: Int { text.hashValue }
    public override var description: String { "<CKServerChangeToken: \(text.count) characters>" }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) { coder.encodeContent(text, forKey: "CKServerChangeToken") }

    /// Reads a token from an archive; nil if the archive does not contain a token.
    public required convenience init?(coder: NSCoder) {
        guard let text = coder.decodeContent(String.self, forKey: "CKServerChangeToken") else { return nil }
        self.init(text)
    }
}
