/// The value of a flag for a context, and the reason.
public struct Evaluation: Sendable, Equatable {
    /// OpenFeature's reasons.
    public enum Reason: String, Sendable {
        /// It has no rules.
        case `static` = "STATIC"
        /// None of its rules matches.
        case `default` = "DEFAULT"
        case targetingMatch = "TARGETING_MATCH"
        case split = "SPLIT"
        /// It is off, or a prerequisite flag does not have the required value.
        case disabled = "DISABLED"
    }

    /// Why there is no value.
    public enum Failure: Error, Sendable, Equatable {
        case notFound
        /// A rule has a percentage, and the context has no targetingKey.
        case missingTargetingKey
        /// The record is not a valid flag, or flags depend on each other in a circle.
        case broken(String)

        /// The error code as in OFREP.
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
    /// The matching rule.
    public var rule: String?
    /// The bucket of the targetingKey in the split.
    public var bucket: Int?
    /// The prerequisite flag that does not have the required value.
    public var prerequisite: String?
    /// The first rule for which it is unknown whether it matches, and why.
    public var passedOver: (rule: String, doubt: Doubt)?

    public static func == (left: Evaluation, right: Evaluation) -> Bool {
        left.variant == right.variant && left.reason == right.reason && left.rule == right.rule
            && left.bucket == right.bucket && left.prerequisite == right.prerequisite
            && left.passedOver?.rule == right.passedOver?.rule && left.passedOver?.doubt == right.passedOver?.doubt
    }
}
