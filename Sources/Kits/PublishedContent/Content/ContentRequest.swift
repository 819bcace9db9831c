import CloudKitWire
public import Foundation

/// What is asked of a source of content.
public struct ContentRequest: Sendable, Hashable {
    public enum Order: Sendable, Hashable {
        /// The newest first.
        case newest
        /// By chance, or by a seed: those that weigh more come more often.
        case picked
    }

    public var type: ContentType
    public var order: Order
    /// Items of the answer at most: 50 that are picked, 200 of the newest.
    public var count: Int
    /// Only of these; empty for all.
    public var collections: [String] = []
    /// Who asks again with the same has the same, as long as the records are the same; nil for chance.
    public var seed: String?
    /// Where the last answer ended.
    public var after: String?
    public var audience = ContentAudience()
    /// Of the answer that is known already.
    public var tag: String?
    /// Bytes of the answer.
    public var bytesMax = 16 << 20

    public init(_ type: ContentType, _ order: Order = .newest, count: Int = 10) {
        (self.type, self.order, self.count) = (type, order, count)
    }

    /// A seed by which a person has the same all day, and something else the next day. The person's name is not in it.
    ///
    /// - Parameters:
    ///   - person: What stands for the person or the device.
    ///   - zone: Where the day begins at midnight.
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
