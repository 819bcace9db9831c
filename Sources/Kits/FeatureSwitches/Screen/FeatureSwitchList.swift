public import Observation

/// The model of the internal screen: all flags with the server's value, the override on this device, the reason for each value, and
/// the last problem. It follows the switches for as long as it exists.
@MainActor @Observable
public final class FeatureSwitchList {
    /// The flags: those that the app declares first, in order.
    public private(set) var rows: [FlagRow] = []
    /// The origin of values, the last failure, and when the next refresh is due.
    public private(set) var state = SwitchesState()
    /// Whether a refresh requested here is running.
    public private(set) var isRefreshing = false

    @ObservationIgnored private let switches: FeatureSwitches
    @ObservationIgnored private var following: Task<Void, Never>?

    public init(_ switches: FeatureSwitches) {
        self.switches = switches
        let updates = switches.updates
        read()
        following = Task { [weak self] in
            for await _ in updates {
                guard let self else { return }
                self.read()
            }
        }
    }

    deinit { following?.cancel() }

    private func read() {
        let (rows, state) = (switches.store.snapshot.rows(declared: switches.declared), switches.state)
        // Observers of one property are notified of changes of that property only.
        if rows != self.rows { self.rows = rows }
        if state != self.state { self.state = state }
    }

    /// Fetches from the provider now.
    public func refresh() async {
        isRefreshing = true
        await switches.refresh()
        isRefreshing = false
        read()
    }

    #if FeatureOverrides
        /// Overrides a flag on this device; nil removes the override.
        public func setOverride(_ value: FlagValue?, of id: String) {
            switches.setOverride(value, of: id)
            read()
        }

        /// Removes all overrides.
        public func removeAllOverrides() {
            switches.removeAllOverrides()
            read()
        }
    #endif
}
