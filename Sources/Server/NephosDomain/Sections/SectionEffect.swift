/// What a change of a section does, for the operator who decides about it (docs/decisions/0056).
public struct SectionEffect: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Somebody sees what they did not see.
        case reveals
        /// Somebody can save, or do, what was refused.
        case opens
        /// Stored data is removed.
        case loses
        /// Somebody no longer sees something.
        case hides
        /// Something is refused that was possible.
        case closes

        /// Whether it cannot be undone by the previous settings: what was seen was seen, and what was saved is stored.
        public var isIrreversible: Bool {
            switch self {
            case .reveals, .opens, .loses: true
            case .hides, .closes: false
            }
        }
    }

    public let kind: Kind
    /// What happens, without a period.
    public let sentence: String
    /// The audience that changes: it happens only to what names this audience. nil if it happens in any case.
    public let audience: String?
    /// Whether a new entry of the section causes it, and not one that was changed or left out: its author has just written that it
    /// happens.
    public let isAdded: Bool

    public init(_ kind: Kind, _ sentence: String, ofAudience audience: String? = nil, isAdded: Bool = false) {
        (self.kind, self.sentence, self.audience, self.isAdded) = (kind, sentence, audience, isAdded)
    }
}
