/// Pushes with the same collapse id replace each other on the device; `apns-collapse-id`.
package struct CollapseID: Sendable, Hashable {
    package static let bytesMax = 64

    /// 1 to 64 bytes of UTF-8 that are valid in a header.
    package let text: String

    /// Converts any text: without control characters and without spaces at its ends, which are not valid in a header, and cut
    /// after the last character that ends within 64 bytes of UTF-8. nil if nothing is left.
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
