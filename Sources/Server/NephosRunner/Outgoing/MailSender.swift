/// The sender of a mail: an address, and an optional name.
package struct MailSender: Sendable, Equatable {
    package static let nameMax = 100

    package var address: MailAddress
    /// May be empty. Contains no line breaks.
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
    /// Whether the character may be part of a line: it neither ends it nor controls how it is displayed.
    var isOfLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
