/// A version of an app or of a system, such as `2.4`, `17.0.1` or `2.5-beta.2`, ordered as in Semantic Versioning 2.0.0: omitted
/// parts are 0, a version with a suffix comes before the one without, and everything after `+` is ignored. A leading `v` is skipped.
public struct Version: Sendable, Hashable, Comparable {
    /// Major, minor, patch, and a fourth, which Windows uses.
    let parts: SIMD4<UInt32>
    /// The identifiers after `-`, separated by dots; numbers without leading zeros.
    let suffix: [Substring]

    static let partsMax = 4
    static let bytesMax = 64

    init(_ parts: SIMD4<UInt32>, suffix: [Substring] = []) { (self.parts, self.suffix) = (parts, suffix) }

    /// - Returns: nil for an invalid version: `1..2`, `2.x`, more than four numbers, or a number of more than nine digits.
    public init?(_ text: some StringProtocol) {
        guard let (parts, _, suffix) = Self.read(text) else { return nil }
        self.init(parts, suffix: suffix)
    }

    /// The text of a version without the `v` that some write before it, as names of releases have it.
    package static func bare(_ text: String) -> Substring {
        text.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "v") ? Substring(text.utf8.dropFirst()) : text[...]
    }

    /// The numbers of a version, how many were given, and its suffix.
    static func read(_ text: some StringProtocol) -> (parts: SIMD4<UInt32>, count: Int, suffix: [Substring])? {
        guard text.utf8.count <= bytesMax else { return nil }
        let core = bare(String(text)).prefix { $0 != "+" }
        let numbers = core.prefix { $0 != "-" }
        let words = numbers.split(separator: ".", omittingEmptySubsequences: false)
        guard !numbers.isEmpty, words.count <= partsMax else { return nil }
        var parts = SIMD4<UInt32>()
        for (place, word) in words.enumerated() {
            guard !word.isEmpty, word.utf8.count <= 9, word.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
                let number = UInt32(word)
            else { return nil }
            parts[place] = number
        }
        guard numbers.endIndex < core.endIndex else { return (parts, words.count, []) }
        let suffix = core[core.index(after: numbers.endIndex)...].split(
            separator: ".", omittingEmptySubsequences: false)
        let isSuffix = suffix.allSatisfy { word in
            !word.isEmpty
                && word.unicodeScalars.allSatisfy { $0.isASCII && ($0 == "-" || $0.properties.isAlphanumeric) }
        }
        return isSuffix ? (parts, words.count, suffix.map(\.withoutLeadingZeros)) : nil
    }

    public static func < (left: Version, right: Version) -> Bool {
        for place in 0..<partsMax where left.parts[place] != right.parts[place] {
            return left.parts[place] < right.parts[place]
        }
        if left.suffix.isEmpty || right.suffix.isEmpty { return !left.suffix.isEmpty && right.suffix.isEmpty }
        for (one, other) in zip(left.suffix, right.suffix) where one != other { return precedes(one, other) }
        return left.suffix.count < right.suffix.count
    }

    /// Compares identifiers of a suffix: numbers by value, and before words, which are compared byte by byte.
    private static func precedes(_ left: Substring, _ right: Substring) -> Bool {
        guard left.isNumber == right.isNumber else { return left.isNumber }
        let (one, other) = (left.utf8.count, right.utf8.count)
        // Numbers have no leading zeros.
        if left.isNumber, one != other { return one < other }
        return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension Substring {
    fileprivate var isNumber: Bool { utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } }

    /// A number without leading zeros; words are unchanged.
    fileprivate var withoutLeadingZeros: Substring {
        guard isNumber else { return self }
        let rest = drop { $0 == "0" }
        return rest.isEmpty ? suffix(1) : rest
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isAlphanumeric: Bool { isAlphabetic || numericType != nil }
}
