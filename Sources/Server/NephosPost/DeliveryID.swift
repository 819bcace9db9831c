import CloudKitWire

/// Identifies one push in requests, responses and logs: a lowercase UUID, as APNs requires in `apns-id`.
package struct DeliveryID: Sendable, Hashable, CustomStringConvertible {
    /// 36 characters, for example `8f14e45f-ceea-467f-a1ab-0d2f6a3c7e55`.
    package let text: String

    /// nil unless `text` is a UUID in its usual form, in upper or lower case.
    package init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        for (position, character) in text.utf8.enumerated() {
            let isDash = [8, 13, 18, 23].contains(position)
            guard isDash ? character == UInt8(ascii: "-") : character.isHexadecimalDigit else { return nil }
        }
        self.text = text.lowercased()
    }

    package var description: String { text }

    /// A UUID of version 8 with these bits.
    init(high: UInt64, low: UInt64) {
        text = UUIDBits(high: high, low: low, version: 8).lowerCase
    }
}
