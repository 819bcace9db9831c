#if FeatureOverrides
    public import Foundation
    import NephosTransport

    // Internal builds only: the trait `FeatureOverrides` puts this into a program (docs/switches.md, "Overrides").

    extension FeatureSwitches {
        /// Reads what was set on this device from these user defaults, and keeps it there from now on: under the key
        /// `featureOverride_` and the id of the flag. Without a call it is the app's standard ones.
        public func useOverrides(in defaults: UserDefaults) { change { $0 = FlagOverrides(defaults) } }

        /// Reads them anew, where somebody else may have set one.
        public func readOverrides() { change { _ in } }

        private func change(_ body: (inout FlagOverrides) -> Void) {
            overridden.withLock { overridden in
                body(&overridden)
                // Under the lock, so that what was read last is what holds.
                store.set(overrides: overridden.all)
            }
        }

        /// What is set on this device, by the ids of flags. It goes before whatever a server says.
        public var overrides: [String: FlagValue] { store.snapshot.overrides }

        /// Sets a flag's value on this device, or lets the server decide again.
        public func setOverride(_ value: FlagValue?, of id: String) { change { $0.set(value, of: id) } }

        /// Turns a feature on or off on this device, or lets the server decide again.
        public func setOverride(_ isOn: Bool?, for flag: FeatureFlag) {
            setOverride(isOn.map { .bool($0) }, of: flag.id)
        }

        /// Lets the server decide about all flags again.
        public func removeAllOverrides() { for id in overrides.keys { setOverride(nil, of: id) } }
    }

    extension FeatureFlag {
        /// Under which a value is kept in user defaults that goes before the server's.
        public var overrideKey: String { FlagOverrides.key(of: id) }
    }

    /// Values in user defaults that go before those of a server.
    struct FlagOverrides {
        private static let prefix = "featureOverride_"

        private let defaults: UserDefaults

        init(_ defaults: UserDefaults) { self.defaults = defaults }

        static func key(of id: String) -> String { prefix + id }

        /// All that are set, also by arguments of a command line: `-featureOverride_tipJar YES`.
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
        /// What user defaults hold; nil for what is no value of a flag.
        fileprivate init?(stored object: Any) {
            switch object {
            case let text as String: self = .string(text)
            case let data as Data: self.init(json: String(decoding: data, as: UTF8.self))
            case let number as NSNumber:
                // What was set as true or false has the type of a character.
                switch String(cString: number.objCType) {
                case "c", "B": self = .bool(number.boolValue)
                case "d", "f": self = .double(number.doubleValue)
                default: self = .integer(number.int64Value)
                }
            default: return nil
            }
        }

        /// What user defaults can hold: lists and objects as JSON.
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
