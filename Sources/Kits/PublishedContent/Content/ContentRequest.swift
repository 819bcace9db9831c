import CloudKitWire
public import Foundation

/// A request to a source of content.
public struct ContentRequest: Sendable, Hashable {
    public enum Order: Sendable, Hashable {
        /// Newest first.
        case newest
        /// Random, or determined by a seed: items with greater weight are picked more often.
        case picked
    }

    public var type: ContentType
    public var order: Order
    /// Maximum number of items in the response: up to 50 if picked, up to 200 of the newest.
    public var count: Int
    /// Only of these; empty for all.
    public var collections: [String] = []
    /// The same seed gives the same items as long as the records are the same; nil for random picks.
    public var seed: String?
    /// The position at which the last response ended.
    public var after: String?
    public var audience = ContentAudience()
    /// The entity tag of the known response.
    public var tag: String?
    /// Maximum response size in bytes.
    public var bytesMax = 16 << 20

    public init(_ type: ContentType, _ order: Order = .newest, count: Int = 10) {
        (self.type, self.order, self.count) = (type, order, count)
    }

    /// A seed that gives a user the same items all day, and others the next day. It does not contain the user's name.
    ///
    /// - Parameters:
    ///   - person: An identifier of the user or the device.
    ///   - zone: The time zone whose midnight begins the day.
    public static func seed(person: String, day: Date, in zone: TimeZone = .current) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.era, .year, .month, .day], from: day)
        let name = [parts.era, parts.year, parts.month, parts.day].map { String($0 ?? 0) }.joined(separator: "-")
        return hash("\(name) \(person)")
    }

    static func hash(_ text: String) -> String {
        let number = Array(text.utf8).withUnsafeBytes { xxHash64($0) }
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
