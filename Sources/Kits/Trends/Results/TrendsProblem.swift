/// Why a tracker was not counted, and what to change.
public struct TrendsProblem: Error, Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// The container has no such record type.
        case unknownType
        /// No record that was read has such a field.
        case noSuchField
        /// The field's value is not a list.
        case notAList
        /// There is no record with that name.
        case noSuchRecord
        /// The schema does not allow queries by creation time.
        case notQueryable
        /// The user may not read these records.
        case notPermitted
        /// The production schema has no record types for counts.
        case noPlaceForCounts
        /// Nobody is signed in, or the account cannot be used now.
        case notSignedIn
        /// No response arrived, or the service requires a pause.
        case unreachable
        /// Other devices saved first each time.
        case busy
        /// Any other error of CloudKit, which is in the message.
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

    /// Whether the problem is not specific to one tracker: the others would fail as well.
    var concernsAll: Bool { kind == .unreachable || kind == .notSignedIn }
}
