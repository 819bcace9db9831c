/// Why something was not counted, and what to change.
public struct TrendsProblem: Error, Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// The container has no such record type.
        case unknownType
        /// No record that was read has such a field.
        case noSuchField
        /// The field holds something else than a list.
        case notAList
        /// There is no record of that name.
        case noSuchRecord
        /// The schema does not let records be looked for by the time of their creation.
        case notQueryable
        /// Who refreshes may not read these records.
        case notPermitted
        /// The schema of production has no record types to keep counts in.
        case noPlaceForCounts
        /// Nobody is signed in, or the account cannot be used now.
        case notSignedIn
        /// No answer came, or the service wants to be left alone for a while.
        case unreachable
        /// Other devices were quicker each time.
        case busy
        /// What CloudKit says, which is in the message.
        case other
    }

    public let kind: Kind
    /// What is wrong: a sentence in English, for developers.
    public let message: String
    /// What to do about it: a sentence in English.
    public let advice: String

    init(_ kind: Kind, _ message: String, _ advice: String) {
        (self.kind, self.message, self.advice) = (kind, message, advice)
    }

    /// Whether it says nothing of one tracker: the others would fail as well.
    var concernsAll: Bool { kind == .unreachable || kind == .notSignedIn }
}
