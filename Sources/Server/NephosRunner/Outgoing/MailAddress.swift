import CloudKitWire

/// The recipient or sender of a mail: `name@domain`, of visible ASCII characters (RFC 5321 §4.1.2), so that it cannot end a line or a
/// command of an SMTP session.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    package static let bytesMax = 254

    package let text: String

    /// - Throws: ``MailAddressError``, for the person who typed it.
    package init(_ text: some StringProtocol) throws(MailAddressError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.bytesMax else { throw MailAddressError() }
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isName(parts[0]), Self.isDomain(parts[1]) else { throw MailAddressError() }
        self.text = String(text)
    }

    package var description: String { text }

    /// The part after the `@`.
    package var domain: String { text.split(separator: "@").last.map(String.init) ?? "" }

    /// Words with dots between them. Not `-` first, because programs would take it for an option.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        let words = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return bytes.count <= 64 && bytes.first != UInt8(ascii: "-")
            && words.allSatisfy { !$0.isEmpty && $0.allSatisfy(isOfWord) }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || marks.contains(byte)
    }

    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        }
    }

    private static let marks = Set("!#$%&'*+-/=?^_`{|}~".utf8)
}

/// The text is not a valid mail address.
package struct MailAddressError: Error, Sendable, Equatable, CustomStringConvertible {
    package init() {}

    package var description: String {
        "A mail address is name@domain, at most 254 ASCII characters without spaces and quotes. Domains with other letters are "
            + "written in their xn-- form."
    }
}
