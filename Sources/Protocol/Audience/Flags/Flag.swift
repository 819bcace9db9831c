/// A feature flag, read once from what a record holds (docs/flags.md): which values there are, and who is served which.
public struct Flag: Sendable, Equatable {
    /// What all its values are.
    public enum Kind: String, Sendable, CaseIterable { case boolean, string, number, json }

    /// A value by its name.
    public struct Variant: Sendable, Equatable {
        public let name: String
        /// The value as JSON.
        public let json: [UInt8]
    }

    /// Another flag that must be served so; none named stands for the value true.
    public struct Prerequisite: Sendable, Equatable {
        public let flag: String
        public let variants: [String]
    }

    /// By time alone it is switched.
    public struct Switch: Sendable, Equatable {
        /// Milliseconds since 1970.
        public let at: Int64
        public let isOn: Bool
    }

    /// The name of its record.
    public let id: String
    public let kind: Kind
    public let variants: [Variant]
    /// As it was switched last, by hand.
    public let isOn: Bool
    /// Places in ``variants``.
    let offPlace, defaultPlace: Int
    public internal(set) var rules: [FlagRule]
    public let prerequisites: [Prerequisite]
    /// By time.
    public let schedule: [Switch]

    public static let variantsMax = 100
    public static let rulesMax = 500
    /// Of ``rules``, as of the other documents in a flag.
    public static let documentBytesMax = 65_536
    public static let scheduleMax = 400

    /// Whether it is on at a moment: as the last of its schedule that has come says.
    public func isOn(at now: Int64) -> Bool {
        guard let first = schedule.first, first.at <= now else { return isOn }
        return schedule.last { $0.at <= now }?.isOn ?? isOn
    }

    public var offVariant: Variant { variants[offPlace] }
    public var defaultVariant: Variant { variants[defaultPlace] }

    func place(of variant: String) -> Int? { variants.firstIndex { $0.name == variant } }
}

/// Who is served what.
public struct FlagRule: Sendable, Equatable {
    enum Serving: Sendable, Equatable {
        /// A place in the variants.
        case variant(Int)
        /// Up to which bucket each place is served, in the order in which they are written.
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

    /// How a rule is named in answers.
    public let id: String
    /// nil for everybody.
    public let when: Condition?
    let serving: Serving
}

/// What a record says of a flag, as it stands in its fields.
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
