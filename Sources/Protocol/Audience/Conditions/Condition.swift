/// The audience of a rule (docs/audiences.md): parsed once and evaluated often.
public indirect enum Condition: Sendable, Equatable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// An audience of the container's settings, by name.
    case audience(String)
    case locale([LanguageTag])
    /// In lower case, like ``device``; countries are in upper case.
    case platform([String])
    case device([String])
    case country([String])
    case system(VersionRange)
    case app(VersionRange)
    case signedIn(Bool)
    case role([String])
    case person([String])
    case fact(String, [Scalar])
    case claim(String, [Scalar])
    /// This many buckets of ``Bucket/count``.
    case percent(Int, Bucket)
    /// Milliseconds since 1970.
    case from(Int64)
    case until(Int64)
    case every(Recurrence)
    case day(LocalDays)
    /// A flag is served as one of these variants, or as true if none is given.
    case flag(String, variants: [String])
    /// The key of a condition that this version does not know: neither it nor its negation matches anybody.
    case newer(String)
}

/// Whether a context matches.
public enum Verdict: Sendable, Equatable {
    case yes, no
    /// The result is unknown: callers treat it as no, and report the reason.
    case unknown(Doubt)

    static func of(_ isSo: Bool) -> Verdict { isSo ? .yes : .no }

    /// Combines two unknown results: the first doubt wins, except that a missing targetingKey is an error and takes precedence.
    func doubted(_ doubt: Doubt) -> Verdict {
        if case .unknown = self, doubt != .missingTargetingKey { return self }
        return .unknown(doubt)
    }
}

/// Why it is unknown whether a context matches.
public enum Doubt: Sendable, Equatable, CustomStringConvertible {
    /// A condition that only a newer version knows.
    case newer(String)
    case missingAudience(String)
    /// A flag that is missing, or cannot be evaluated.
    case flag(String)
    case missingTargetingKey

    public var description: String {
        switch self {
        case .newer(let key): "this version does not support the condition \(key)"
        case .missingAudience(let name): "there is no audience \(name)"
        case .flag(let id): "flag \(id) is missing or cannot be evaluated"
        case .missingTargetingKey: "a percentage needs a targetingKey"
        }
    }
}
