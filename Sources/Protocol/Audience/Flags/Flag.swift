/// A feature flag, parsed once from a record (docs/flags.md): its values, and who is served which.
public struct Flag: Sendable, Equatable {
    /// The type of all its values.
    public enum Kind: String, Sendable, CaseIterable { case boolean, string, number, json }

    /// A named value.
    public struct Variant: Sendable, Equatable {
        public let name: String
        /// The value as JSON.
        public let json: [UInt8]
    }

    /// Another flag that must be served as one of these variants; none stands for the value true.
    public struct Prerequisite: Sendable, Equatable {
        public let flag: String
        public let variants: [String]
    }

    /// A scheduled change of the state.
    public struct Switch: Sendable, Equatable {
        /// Milliseconds since 1970.
        public let at: Int64
        public let isOn: Bool
    }

    /// The name of its record.
    public let id: String
    public let kind: Kind
    public let variants: [Variant]
    /// The state as last set by hand.
    public let isOn: Bool
    /// Indices into ``variants``.
    let offPlace, defaultPlace: Int
    public internal(set) var rules: [FlagRule]
    public let prerequisites: [Prerequisite]
    /// By time.
    public let schedule: [Switch]

    public static let variantsMax = 100
    public static let rulesMax = 500
    /// Maximum size of ``rules`` and of each other document in a flag.
    public static let documentBytesMax = 65_536
    public static let scheduleMax = 400

    /// Whether the flag is on at a time, as determined by the latest scheduled change.
    public func isOn(at now: Int64) -> Bool {
        guard let first = schedule.first, first.at <= now else { return isOn }
        return schedule.last { $0.at <= now }?.isOn ?? isOn
    }

    public var offVariant: Variant { variants[offPlace] }
    public var defaultVariant: Variant { variants[defaultPlace] }

    func place(of variant: String) -> Int? { variants.firstIndex { $0.name == variant } }
}

/// Which value is served to whom.
public struct FlagRule: Sendable, Equatable {
    enum Serving: Sendable, Equatable {
        /// An index of the variants.
        case variant(Int)
        /// The upper bucket limit of each variant, in the order in which they are written.
        case split([(below: Int, place: Int)], Bucket)

        static func == (left: Serving, right: Serving) -> Bool {
            switch (left, right) {
            case (.variant(let one), .variant(let other)): one == other
            case (.split(let one, let bucket), .split(let other, let second)):
                bucket == second && one.elementsEqual(other) { $0 == $1 }
            default: false
            }
        }
    }

    /// The name of the rule in responses.
    public let id: String
    /// nil for everybody.
    public let when: Condition?
    let serving: Serving
}

/// The fields of a flag's record.
public struct FlagFields: Sendable {
    public var id: String
    public var kind: String?
    public var state: String?
    public var variants: String?
    public var offVariant: String?
    public var defaultVariant: String?
    public var rules: String?
    public var prerequisites: String?
    public var schedule: String?
    public var salt: String?

    public init(id: String) { self.id = id }
}
