/// Versions that fit: `>=2.3 <3`, or with several choices `<1.9 || >=2.3`. Within a choice everything must hold.
///
/// Where fewer than four numbers are written, what is left out may be anything: `17` and `=17` are every version that begins so,
/// `>17` begins with 18, and `<=17` has all of 17 in it.
public struct VersionRange: Sendable, Hashable {
    /// From the lower on, and before the upper.
    struct Span: Sendable, Hashable {
        var from: Version?
        var before: Version?

        func contains(_ version: Version) -> Bool {
            if let from, version < from { return false }
            if let before, version >= before { return false }
            return true
        }
    }

    /// One of them must contain a version. None that can contain any is left out.
    private let spans: [Span]

    static let bytesMax = 256

    /// - Returns: nil for what is no range: an operator without a version, or a version that is none.
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

    /// What a version as written in a range begins with, and what comes after all that begins so.
    private struct Bound {
        let first: Version
        let after: Version

        init?(_ text: Substring) {
            guard let (parts, count, suffix) = Version.read(text) else { return nil }
            first = Version(parts, suffix: suffix)
            var next = parts
            if suffix.isEmpty {
                next[count - 1] += 1
                // The first version with the next number, and not what is tried out of it before.
                after = Version(next, suffix: ["0"])
            } else {
                // Suffixes that begin with this one follow it.
                after = Version(parts, suffix: suffix + ["0"])
            }
        }
    }
}

extension VersionRange.Span {
    fileprivate mutating func raise(to version: Version) { from = from.map { max($0, version) } ?? version }
    fileprivate mutating func lower(to version: Version) { before = before.map { min($0, version) } ?? version }
}
