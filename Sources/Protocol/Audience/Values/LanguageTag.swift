/// A language, perhaps with a script and a region: `es`, `es-MX`, `zh-Hant-TW` (BCP 47), including Apple's notation: `es_MX`,
/// `en_US@rg=gb`. The parts are as written; ``Subtags`` has what they mean.
public struct LanguageTag: Sendable, Hashable {
    /// In lower case.
    public let language: String
    /// `Hant`; nil if not specified.
    public let script: String?
    /// `MX`, or three digits; nil if not specified.
    public let region: String?
    let subtags: Subtags

    static let bytesMax = 64

    /// - Returns: nil for an invalid tag: `xx_`, `e`, `es-`, `123`.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        var text = String(text)
        guard let parts = text.withUTF8({ Parts($0) }) else { return nil }
        (language, script, region) = (parts.language, parts.script, parts.region)
        subtags = Subtags(language: parts.language, script: parts.script, region: parts.region)
    }

    /// The tag that a program reports about its user, also as POSIX writes it: `es_MX.UTF-8`.
    ///
    /// - Returns: nil also for the POSIX locale, which programs have where nobody has chosen another: `C`, `en_US_POSIX`.
    package init?(reported text: some StringProtocol) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        let tag = text.utf8.contains(UInt8(ascii: ".")) ? String(text.prefix { $0 != "." }) : String(text)
        guard !tag.utf8.suffix(5).elementsEqual("posix".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        self.init(tag)
    }

    /// The parts of a tag, parsed from bytes because each request of an app has one.
    private struct Parts {
        private(set) var language = ""
        private(set) var script, region: String?

        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            let end = bytes.firstIndex(of: UInt8(ascii: "@")) ?? bytes.count
            // Which of language, script and region may come next.
            var (start, next) = (0, 0)
            while true {
                var (place, areLetters, areDigits) = (start, true, true)
                while place < end, bytes[place] != UInt8(ascii: "-"), bytes[place] != UInt8(ascii: "_") {
                    guard bytes[place].isWordByte else { return nil }
                    if bytes[place].isLetterByte { areDigits = false } else { areLetters = false }
                    place += 1
                }
                let word = UnsafeBufferPointer(rebasing: bytes[start..<place])
                guard (1...8).contains(word.count) else { return nil }
                switch next {
                case 0:
                    guard (2...3).contains(word.count), areLetters else { return nil }
                    language = Self.text(word, capitals: 0)
                    next = 1
                case 1 where word.count == 4 && areLetters:
                    script = Self.text(word, capitals: 1)
                    next = 2
                case 1, 2:
                    if word.count == 2 && areLetters || word.count == 3 && areDigits {
                        region = Self.text(word, capitals: word.count)
                    }
                    next = 3
                default: break
                }
                guard place < end else { return }
                start = place + 1
            }
        }

        /// - Parameter capitals: This many letters are converted to upper case, the others to lower case.
        private static func text(_ word: UnsafeBufferPointer<UInt8>, capitals: Int) -> String {
            String(unsafeUninitializedCapacity: word.count) { text in
                for place in word.indices {
                    let byte = word[place]
                    text[place] = byte.isLetterByte ? (place < capitals ? byte & 0xDF : byte | 0x20) : byte
                }
                return word.count
            }
        }
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
