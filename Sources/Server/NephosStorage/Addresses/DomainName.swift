/// Domains with letters of any language: in ASCII as they are stored and looked up (IDNA, RFC 5890), and as people read them.
///
/// What people type is mapped like this: capital letters become small ones, NFC, and the dots of Chinese and Japanese keyboards
/// become dots. What has no such form is refused, in particular characters that nobody sees, and variants of characters such as
/// full-width letters.
enum DomainName {
    /// Of a part between two dots, in ASCII.
    private static let partBytesMax = 63
    private static let prefix = "xn--"

    /// The domain in ASCII and lower case. Parts of ASCII characters stay as they are otherwise.
    ///
    /// - Throws: ``EmailAddressError/part(_:)``, with the first part that has no such form.
    static func ascii(_ typed: String) throws(EmailAddressError) -> String {
        var parts: [String] = []
        for part in typed.unicodeScalars.split(omittingEmptySubsequences: false, whereSeparator: isDot) {
            parts.append(try ascii(part: String(part)))
        }
        return parts.joined(separator: ".")
    }

    /// An ASCII domain in the letters of its language. A part that is not the code of any stays as it is.
    static func shown(_ ascii: String) -> String {
        ascii.split(separator: ".", omittingEmptySubsequences: false).map { shown(part: String($0)) }
            .joined(separator: ".")
    }

    private static func isDot(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "\u{3002}", "\u{FF0E}", "\u{FF61}": true
        default: false
        }
    }

    // MARK: Parts

    private static func ascii(part: String) throws(EmailAddressError) -> String {
        guard !part.isEmpty else { throw .part(part) }
        if part.utf8.allSatisfy({ $0 < 0x80 }) { return part.lowercased() }
        let scalars = Array(mapped(part).unicodeScalars)
        guard scalars.allSatisfy(isOfPart), let first = scalars.first, !first.isMark, first != "-",
            scalars.last != "-"
        else { throw .part(part) }
        let text = String(String.UnicodeScalarView(scalars))
        if scalars.allSatisfy(\.isASCII) { return text }
        let code = prefix + Punycode.encoded(scalars)
        guard code.utf8.count <= partBytesMax, !text.hasPrefix(prefix) else { throw .part(part) }
        return code
    }

    private static func shown(part: String) -> String {
        guard part.hasPrefix(prefix), let scalars = Punycode.decoded(part.dropFirst(prefix.count)) else { return part }
        let text = String(String.UnicodeScalarView(scalars))
        // Otherwise it is the code of something that nobody can type, or that looks like another domain.
        return (try? ascii(part: text)) == part ? text : part
    }

    private static func mapped(_ part: String) -> String {
        var view = String.UnicodeScalarView()
        for scalar in part.unicodeScalars {
            let properties = scalar.properties
            // Of some scripts the capital letters are the usual ones.
            if properties.changesWhenNFKCCaseFolded {
                view.append(contentsOf: properties.lowercaseMapping.unicodeScalars)
            } else {
                view.append(scalar)
            }
        }
        return String(view).composed
    }

    /// Whether a domain may have a character, after mapping.
    private static func isOfPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "0"..."9", "-": return true
        // Letters of their own, although they are compared like others elsewhere.
        case "ß", "ς": return true
        default: break
        }
        guard !scalar.isASCII, !isDot(scalar), !scalar.properties.changesWhenNFKCCaseFolded else { return false }
        switch scalar.properties.generalCategory {
        case .unassigned, .privateUse, .surrogate, .control, .format, .spaceSeparator, .lineSeparator,
            .paragraphSeparator:
            return false
        default: return true
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is part of the character before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
