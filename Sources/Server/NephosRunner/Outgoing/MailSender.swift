/// Whom a mail is from: an address, and a name before it.
package struct MailSender: Sendable, Equatable {
    package static let nameMax = 100

    package var address: MailAddress
    /// May be empty. Without anything that ends a line.
    package private(set) var name: String

    /// - Parameter text: `nephos@example.org`, or `Nephos <nephos@example.org>`.
    /// - Throws: ``MailAddressError``.
    package init(_ text: String) throws(MailAddressError) {
        guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else {
            try self.init(MailAddress(text), name: "")
            return
        }
        let end = text.index(before: text.endIndex)
        try self.init(MailAddress(text[text.index(after: open)..<end]), name: String(text[..<open]))
    }

    package init(_ address: MailAddress, name: String) throws(MailAddressError) {
        let words = name.split(separator: " ").joined(separator: " ")
        guard words.count <= Self.nameMax, words.unicodeScalars.allSatisfy({ $0.isOfLine }) else {
            throw MailAddressError()
        }
        (self.address, self.name) = (address, words)
    }
}

extension Unicode.Scalar {
    /// Whether it stands in a line: it neither ends one nor steers what shows it.
    var isOfLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
