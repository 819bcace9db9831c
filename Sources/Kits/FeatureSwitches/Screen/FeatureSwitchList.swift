public import Observation

/// What an internal screen shows: all flags with what the server says, what is set on this device and why it is so, and what went wrong
/// last. It follows the switches for as long as it is there.
@MainActor @Observable
public final class FeatureSwitchList {
    /// The flags: those that the app declares first, in its order.
    public private(set) var rows: [FlagRow] = []
    /// Where values are from, the last failure, and when one asks again.
    public private(set) var state = SwitchesState()
    /// Whether somebody has asked for a refresh here that is under way.
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
        // Who looks at one of them is told of changes of that one only.
        if rows != self.rows { self.rows = rows }
        if state != self.state { self.state = state }
    }

    /// Asks the provider now.
    public func refresh() async {
        isRefreshing = true
        await switches.refresh()
        isRefreshing = false
        read()
    }

    #if FeatureOverrides
        /// Sets a flag on this device; nil lets the server decide again.
        public func setOverride(_ value: FlagValue?, of id: String) {
            switches.setOverride(value, of: id)
            read()
        }

        /// Lets the server decide about all flags again.
        public func removeAllOverrides() {
            switches.removeAllOverrides()
            read()
        }
    #endif
}
