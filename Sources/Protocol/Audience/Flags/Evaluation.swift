/// Which value of a flag somebody is served, and why.
public struct Evaluation: Sendable, Equatable {
    /// OpenFeature's words.
    public enum Reason: String, Sendable {
        /// It has no rules.
        case `static` = "STATIC"
        /// None of its rules fits.
        case `default` = "DEFAULT"
        case targetingMatch = "TARGETING_MATCH"
        case split = "SPLIT"
        /// It is off, or another flag that it needs is not served so.
        case disabled = "DISABLED"
    }

    /// Why there is none.
    public enum Failure: Error, Sendable, Equatable {
        case notFound
        /// A percentage is asked for, and nothing to draw by was said.
        case missingTargetingKey
        /// The record is no flag, or flags need each other in a circle.
        case broken(String)

        /// As OFREP spells it.
        public var code: String {
            switch self {
            case .notFound: "FLAG_NOT_FOUND"
            case .missingTargetingKey: "TARGETING_KEY_MISSING"
            case .broken: "PARSE_ERROR"
            }
        }
    }

    public let variant: Flag.Variant
    public let reason: Reason
    /// The rule that fits.
    public var rule: String?
    /// Where the targetingKey stands in the split.
    public var bucket: Int?
    /// The flag that it needs and that is served otherwise.
    public var prerequisite: String?
    /// The first rule of which it could not be said whether it fits, and why.
    public var passedOver: (rule: String, doubt: Doubt)?

    public static func == (left: Evaluation, right: Evaluation) -> Bool {
        left.variant == right.variant && left.reason == right.reason && left.rule == right.rule
            && left.bucket == right.bucket && left.prerequisite == right.prerequisite
            && left.passedOver?.rule == right.passedOver?.rule && left.passedOver?.doubt == right.passedOver?.doubt
    }
}
