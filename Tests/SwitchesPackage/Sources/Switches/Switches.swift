import FeatureSwitches
import Foundation

@main
struct Switches {
    static func main() async throws {
        let flags: [String: FlagValue] = ["tipJar": true, "theme": "dark", "another": false]
        let switches = FeatureSwitches(
            provider: StaticProvider(flags), declaring: [FeatureSwitch.tipJar, FeatureSwitch.chibiVersionCheck],
            file: nil)
        precondition(!switches.isFeatureEnabled(.tipJar) && switches.isFeatureEnabled(.chibiVersionCheck))
        guard await switches.refresh() == .changed else { preconditionFailure("\(switches.state)") }
        precondition(switches.isFeatureEnabled(.tipJar) && switches.isFeatureEnabled(.chibiVersionCheck))
        if CommandLine.arguments.count == 3, let times = Int(CommandLine.arguments[2]) {
            return ask(switches, CommandLine.arguments[1], times)
        }
        override(switches)
        print("The switches work.")
    }

    /// The measured code: an app that reads switches repeatedly.
    private static func ask(_ switches: FeatureSwitches, _ what: String, _ times: Int) {
        var count = 0
        let injected: any FeatureSwitchProvider = switches
        switch what {
        case "known": for _ in 0..<times where switches.isFeatureEnabled(.tipJar) { count += 1 }
        case "unknown": for _ in 0..<times where switches.isFeatureEnabled(.chibiVersionCheck) { count += 1 }
        case "injected": for _ in 0..<times where injected.isFeatureEnabled(.tipJar) { count += 1 }
        default: preconditionFailure("known, unknown or injected")
        }
        precondition(count == times)
    }

    /// Values that are set on this device take precedence over those of the provider, and persist to the next start.
    @MainActor private static func override(_ switches: FeatureSwitches) {
        #if Internal
            let suite = "nephos-switches-\(ProcessInfo.processInfo.processIdentifier)"
            guard let defaults = UserDefaults(suiteName: suite) else { preconditionFailure("no user defaults") }
            defer { defaults.removePersistentDomain(forName: suite) }
            defaults.set(false, forKey: FeatureSwitch.tipJar.overrideKey)
            switches.useOverrides(in: defaults)
            precondition(!switches.isFeatureEnabled(.tipJar))
            switches.setOverride(nil, for: .tipJar)
            precondition(switches.isFeatureEnabled(.tipJar))
            switches.setOverride(false, for: .chibiVersionCheck)
            precondition(!switches.isFeatureEnabled(.chibiVersionCheck))
            precondition(defaults.object(forKey: "featureOverride_chibiVersionCheck") as? Bool == false)
            precondition(switches.details(of: .chibiVersionCheck).reason == .override)
            // Every value is read as it was set.
            let values: [String: FlagValue] = [
                "a": true, "b": 7, "c": 2.5, "d": "text", "e": ["notes": 7], "f": [1, "x"],
            ]
            for (id, value) in values { switches.setOverride(value, of: id) }
            precondition(values.allSatisfy { switches.overrides[$0.key] == $0.value }, "\(switches.overrides)")
            precondition(switches.value(of: FeatureValue(id: "e", default: ["notes": 0])) == ["notes": 7])
            documented(switches)
            let list = FeatureSwitchList(switches)
            list.setOverride("light", of: "theme")
            precondition(switches.value(of: FeatureValue(id: "theme", default: "")) == "light")
            let theme = list.rows.first { $0.id == "theme" }
            precondition(theme?.override == "light" && theme?.serverValue == "dark" && theme?.reason == .override)
            list.removeAllOverrides()
            precondition(switches.overrides.isEmpty && switches.isFeatureEnabled(.chibiVersionCheck))
        #endif
    }

    #if Internal
        /// What docs/switches.md shows, as it stands there.
        @MainActor private static func documented(_ switches: FeatureSwitches) {
            switches.setOverride(true, for: .tipJar)
            switches.setOverride("dark", of: "theme")
            switches.setOverride(nil, for: .tipJar)
            switches.removeAllOverrides()
            precondition(switches.overrides.isEmpty)
        }
    #endif
}
