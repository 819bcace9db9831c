/// A language, perhaps with a script and a region: `es`, `es-MX`, `zh-Hant-TW` (BCP 47), as Apple writes it too: `es_MX`, `en_US@rg=gb`.
public struct LanguageTag: Sendable, Hashable {
    /// In lower case.
    public let language: String
    /// `Hant`; nil where none is named.
    public let script: String?
    /// `MX`, or three digits; nil where none is named.
    public let region: String?

    static let bytesMax = 64

    /// - Returns: nil for what is no tag: `xx_`, `e`, `es-`, `123`.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        let words = text.prefix { $0 != "@" }.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard words.allSatisfy({ word in (1...8).contains(word.utf8.count) && word.utf8.allSatisfy(\.isWordByte) }),
            let first = words.first, (2...3).contains(first.utf8.count), first.utf8.allSatisfy(\.isLetterByte)
        else { return nil }
        language = first.lowercased()
        var rest = words.dropFirst()
        if let word = rest.first, word.utf8.count == 4, word.utf8.allSatisfy(\.isLetterByte) {
            script = word.prefix(1).uppercased() + word.dropFirst().lowercased()
            rest.removeFirst()
        } else {
            script = nil
        }
        if let word = rest.first,
            word.utf8.count == 2 && word.utf8.allSatisfy(\.isLetterByte)
                || word.utf8.count == 3 && word.utf8.allSatisfy({ !$0.isLetterByte })
        {
            region = word.uppercased()
        } else {
            region = nil
        }
    }

    /// Whether somebody who speaks the other is meant: `es` covers `es-MX`, and `zh-TW` covers `zh-Hant-TW`.
    public func covers(_ other: LanguageTag) -> Bool {
        language == other.language && (script == nil || script == other.script)
            && (region == nil || region == other.region)
    }
}

extension LanguageTag: CustomStringConvertible {
    /// `es-MX`
    public var description: String { [language, script, region].compactMap(\.self).joined(separator: "-") }
}

extension UInt8 {
    fileprivate var isLetterByte: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    fileprivate var isWordByte: Bool { isLetterByte || self &- UInt8(ascii: "0") < 10 }
}
