#if FeatureOverrides
    public import Foundation
    import NephosTransport

    // Internal builds only: the trait `FeatureOverrides` compiles this into a program (docs/switches.md, "Overrides").

    extension FeatureSwitches {
        /// Reads overrides from these user defaults and stores new ones there, under the key `featureOverride_` followed by the
        /// flag's ID. Without a call the app's standard user defaults are used.
        public func useOverrides(in defaults: UserDefaults) { change { $0 = FlagOverrides(defaults) } }

        /// Reads the overrides again, in case other code has changed them.
        public func readOverrides() { change { _ in } }

        private func change(_ body: (inout FlagOverrides) -> Void) {
            overridden.withLock { overridden in
                body(&overridden)
                // Under the lock, so that the latest read wins.
                store.set(overrides: overridden.all)
            }
        }

        /// The overrides set on this device, by flag ID. They take precedence over the server's values.
        public var overrides: [String: FlagValue] { store.snapshot.overrides }

        /// Overrides a flag's value on this device; nil removes the override.
        public func setOverride(_ value: FlagValue?, of id: String) { change { $0.set(value, of: id) } }

        /// Overrides a feature on this device; nil removes the override.
        public func setOverride(_ isOn: Bool?, for flag: FeatureFlag) {
            setOverride(isOn.map { .bool($0) }, of: flag.id)
        }

        /// Removes all overrides.
        public func removeAllOverrides() { for id in overrides.keys { setOverride(nil, of: id) } }
    }

    extension FeatureFlag {
        /// The key of this flag's override in user defaults.
        public var overrideKey: String { FlagOverrides.key(of: id) }
    }

    /// Overrides in user defaults, which take precedence over a server's values.
    struct FlagOverrides {
        private static let prefix = "featureOverride_"

        private let defaults: UserDefaults

        init(_ defaults: UserDefaults) { self.defaults = defaults }

        static func key(of id: String) -> String { prefix + id }

        /// All overrides, including those given as command-line arguments: `-featureOverride_tipJar YES`.
        var all: [String: FlagValue] {
            var all: [String: FlagValue] = [:]
            for (key, object) in defaults.dictionaryRepresentation() where key.hasPrefix(Self.prefix) {
                all[String(key.dropFirst(Self.prefix.count))] = FlagValue(stored: object)
            }
            return all
        }

        func set(_ value: FlagValue?, of id: String) {
            guard let value else { return defaults.removeObject(forKey: Self.key(of: id)) }
            defaults.set(value.stored, forKey: Self.key(of: id))
        }
    }

    extension FlagValue {
        /// A value from user defaults; nil if it is not a valid flag value.
        fileprivate init?(stored object: Any) {
            switch object {
            case let text as String: self = .string(text)
            case let data as Data: self.init(json: String(decoding: data, as: UTF8.self))
            case let number as NSNumber:
                // A boolean in user defaults has the Objective-C type of a character.
                switch String(cString: number.objCType) {
                case "c", "B": self = .bool(number.boolValue)
                case "d", "f": self = .double(number.doubleValue)
                default: self = .integer(number.int64Value)
                }
            default: return nil
            }
        }

        /// The form for user defaults: lists and objects as JSON.
        fileprivate var stored: Any {
            switch self {
            case .bool(let value): value
            case .integer(let value): Int(value)
            case .double(let value): value
            case .string(let value): value
            case .null, .list, .object: Data(jsonBytes)
            }
        }
    }
#endif
