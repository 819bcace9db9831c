/// Whom a rule is for (docs/audiences.md). A value that was read once and is asked often.
public indirect enum Condition: Sendable, Equatable {
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// Of the settings of a container, by its name.
    case audience(String)
    case locale([LanguageTag])
    /// In lower case, as ``device``; countries are in capitals.
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
    /// So many of ``Bucket/count``.
    case percent(Int, Bucket)
    /// Milliseconds since 1970.
    case from(Int64)
    case until(Int64)
    case every(Recurrence)
    /// That a flag is served so: by names of variants, or none for the value true.
    case flag(String, variants: [String])
    /// Something that this version does not know, by its key: it fits nobody, and neither does its contrary.
    case newer(String)
}

/// Whether somebody is meant.
public enum Verdict: Sendable, Equatable {
    case yes, no
    /// It cannot be said: whoever decides by it decides as for no, and says why.
    case unknown(Doubt)

    static func of(_ isSo: Bool) -> Verdict { isSo ? .yes : .no }

    /// That of several of which one cannot be said: the first doubt, but a targetingKey that is missing is an error before all others.
    func doubted(_ doubt: Doubt) -> Verdict {
        if case .unknown = self, doubt != .missingTargetingKey { return self }
        return .unknown(doubt)
    }
}

/// Why it cannot be said whether somebody is meant.
public enum Doubt: Sendable, Equatable, CustomStringConvertible {
    /// A condition that a newer version knows.
    case newer(String)
    case missingAudience(String)
    /// A flag that is missing, or cannot be evaluated.
    case flag(String)
    case missingTargetingKey

    public var description: String {
        switch self {
        case .newer(let key): "this version does not know the condition \(key)"
        case .missingAudience(let name): "there is no audience \(name)"
        case .flag(let id): "flag \(id) is missing or cannot be evaluated"
        case .missingTargetingKey: "a percentage needs a targetingKey"
        }
    }
}
