/// A range of versions: `>=2.3 <3`, or with alternatives `<1.9 || >=2.3`. Within an alternative everything must hold.
///
/// If fewer than four numbers are given, the others are arbitrary: `17` and `=17` match every version that begins with 17, `>17`
/// begins with 18, and `<=17` includes all of 17.
public struct VersionRange: Sendable, Hashable {
    /// From the lower bound on, excluding the upper.
    struct Span: Sendable, Hashable {
        var from: Version?
        var before: Version?

        func contains(_ version: Version) -> Bool {
            if let from, version < from { return false }
            if let before, version >= before { return false }
            return true
        }
    }

    /// One of them must contain a version. Empty ones are omitted.
    private let spans: [Span]

    static let bytesMax = 256

    /// - Returns: nil for an invalid range: an operator without a version, or an invalid version.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        var spans: [Span] = []
        for choice in text.split(separator: "||", omittingEmptySubsequences: false) {
            guard let span = Self.span(choice) else { return nil }
            spans.append(span)
        }
        self.spans = spans
    }

    private static func span(_ choice: Substring) -> Span? {
        var span = Span()
        var rest = choice.drop { $0 == " " }
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let sign = rest.prefix { "<>=".contains($0) }
            rest = rest[sign.endIndex...].drop { $0 == " " }
            let word = rest.prefix { !" <>=".contains($0) }
            rest = rest[word.endIndex...].drop { $0 == " " }
            guard let bound = Bound(word) else { return nil }
            switch sign {
            case ">=": span.raise(to: bound.first)
            case ">": span.raise(to: bound.after)
            case "<": span.lower(to: bound.first)
            case "<=": span.lower(to: bound.after)
            case "", "=":
                span.raise(to: bound.first)
                span.lower(to: bound.after)
            default: return nil
            }
        }
        return span
    }

    public func contains(_ version: Version) -> Bool {
        for span in spans where span.contains(version) { return true }
        return false
    }

    /// The first version with a prefix written in a range, and the first one after all versions with that prefix.
    private struct Bound {
        let first: Version
        let after: Version

        init?(_ text: Substring) {
            guard let (parts, count, suffix) = Version.read(text) else { return nil }
            first = Version(parts, suffix: suffix)
            var next = parts
            if suffix.isEmpty {
                next[count - 1] += 1
                // The next number, including its earliest prerelease.
                after = Version(next, suffix: ["0"])
            } else {
                // Suffixes with this one as a prefix follow it.
                after = Version(parts, suffix: suffix + ["0"])
            }
        }
    }
}

extension VersionRange.Span {
    fileprivate mutating func raise(to version: Version) { from = from.map { max($0, version) } ?? version }
    fileprivate mutating func lower(to version: Version) { before = before.map { min($0, version) } ?? version }
}
