import CloudKitWire
package import NephosStorage

/// The recipient or sender of a mail: an ``EmailAddress`` that consists of visible ASCII characters (RFC 5321 §4.1.2), so that it
/// cannot end a line or a command of an SMTP session.
package struct MailAddress: Sendable, Hashable, CustomStringConvertible {
    package let address: EmailAddress

    /// - Throws: ``MailAddressError``, for the person who typed it.
    package init(_ text: some StringProtocol) throws(MailAddressError) {
        do throws(EmailAddressError) { address = try EmailAddress(text) } catch { throw MailAddressError(error) }
        guard Self.isName(Array(address.name.utf8)[...]), Self.isDomain(Array(address.domain.utf8)[...]) else {
            throw MailAddressError()
        }
    }

    /// The form in mails: in ASCII and lower case.
    package var text: String { address.text }

    package var description: String { text }

    /// The part after the `@`.
    package var domain: String { address.domain }

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

/// The text is not an address to which mails can be sent.
package struct MailAddressError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The part of its domain that has no form in ASCII; nil if something else is wrong.
    private let part: String?

    package init() { part = nil }

    init(_ error: EmailAddressError) { part = if case .part(let part) = error { part } else { nil } }

    package var description: String {
        "A mail address is name@domain, at most \(EmailAddress.bytesMax) bytes: before the @ ASCII characters without spaces and "
            + "quotes, after it letters, digits and hyphens of any language, in parts of at most 63 bytes in ASCII (xn--)."
            + (part.map { " \($0.debugDescription) is no such part." } ?? "")
    }
}
