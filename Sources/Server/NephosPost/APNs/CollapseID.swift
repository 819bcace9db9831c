/// Pushes of one collapse id replace each other on the device; `apns-collapse-id`.
package struct CollapseID: Sendable, Hashable {
    package static let bytesMax = 64

    /// 1 to 64 bytes of UTF-8 that can stand in a header.
    package let text: String

    /// Makes one of any text: without control characters and without blanks at its ends, which no header can hold, and
    /// cut after the last character that ends within 64 bytes of UTF-8. nil when nothing is left.
    package init?(_ text: String) {
        let printable = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        var kept = String.UnicodeScalarView()
        var bytes = 0
        for scalar in printable.drop(while: { $0 == " " }) {
            bytes += UTF8.width(scalar)
            guard bytes <= Self.bytesMax else { break }
            kept.append(scalar)
        }
        while kept.last == " " { kept.removeLast() }
        guard !kept.isEmpty else { return nil }
        self.text = String(kept)
    }
}
