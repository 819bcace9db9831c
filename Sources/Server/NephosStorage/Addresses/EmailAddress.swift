/// An email address of a person, `name@domain`, with letters of any language. Spellings of the same address are equal: in capital
/// or small letters, with letters that are composed in different ways, with the domain in its own letters or in ASCII (`xn--`).
package struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    /// Of ``text`` (RFC 5321 §4.5.3.1).
    package static let bytesMax = 254
    /// Of what is typed, which may need more bytes than ``text``.
    package static let typedBytesMax = 4 * bytesMax

    /// The part before the `@`: in NFC and lower case.
    package let name: String
    /// In ASCII and lower case.
    package let domain: String

    /// - Parameter typed: Without surrounding spaces.
    /// - Throws: ``EmailAddressError``, for the person who typed it.
    package init(_ typed: some StringProtocol) throws(EmailAddressError) {
        guard typed.utf8.count <= Self.typedBytesMax else { throw .form }
        // Not by characters, since a mark after the @ would hide it.
        let scalars = String(typed).unicodeScalars
        let parts = scalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, scalars.allSatisfy(Self.isOfAddress) else {
            throw .form
        }
        name = String(parts[0]).composed.lowercased().composed
        domain = try DomainName.ascii(String(parts[1]))
        guard text.utf8.count <= Self.bytesMax else { throw .form }
    }

    /// The form in which it is stored, compared and counted, and in which mails are sent to it.
    package var text: String { "\(name)@\(domain)" }

    /// The form for people: the domain in its own letters.
    package var shown: String { "\(name)@\(DomainName.shown(domain))" }

    package var description: String { shown }

    private static func isOfAddress(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
    }
}

extension EmailAddress {
    /// ``text`` for a typed or stored text; for one that is not an address the text in lower case.
    package static func text(of typed: String) -> String { (try? EmailAddress(typed))?.text ?? typed.lowercased() }

    /// ``shown`` for a stored text; for one that is not an address the text itself.
    package static func shown(_ stored: String) -> String { (try? EmailAddress(stored))?.shown ?? stored }

    /// The forms in which accounts may have it, ``text`` first: earlier versions stored what was typed, in lower case.
    package var spellings: [String] {
        var all: [String] = []
        for spelling in [text, shown].flatMap({ [$0, $0.decomposed] }) where !all.containsBytes(of: spelling) {
            all.append(spelling)
        }
        return all
    }
}

extension [String] {
    /// Strings are equal, too, if they differ only in how letters are composed; stored texts are not.
    package func containsBytes(of text: String) -> Bool { contains { $0.utf8.elementsEqual(text.utf8) } }
}

/// Why a text is not an email address.
package enum EmailAddressError: Error, Sendable, Equatable {
    /// It is not `name@domain`, or too long.
    case form
    /// This part of its domain, between two dots, has no form in ASCII.
    case part(String)

    /// What was expected instead.
    package var expected: String {
        switch self {
        case .form: "name@domain, at most \(EmailAddress.bytesMax) bytes, without spaces"
        case .part(let part):
            "name@domain; \(part.debugDescription) cannot be a part of a domain, which has letters, digits and hyphens of any "
                + "language, and at most 63 bytes in ASCII (xn--)"
        }
    }
}
