public import Foundation
package import KitSupport
import NephosTransport

/// An app's switches: the values last received from a provider, read synchronously and refreshed in the background.
///
///     let switches = FeatureSwitches(provider: provider, declaring: [.tipJar])
///     switches.start()
///     if switches.isFeatureEnabled(.tipJar) { … }
///
/// Values are available before the first refresh: those saved in a file by the last launch, else the defaults. A refresh that fails
/// changes only ``state`` and is retried.
public final class FeatureSwitches: FeatureSwitchProvider {
    /// The source of values.
    public let provider: any FlagProvider
    /// The flags that the app declares, in order. The internal screen lists them first.
    public let declared: [any DeclaredFlag]
    let store: SwitchesStore
    private let refresher: Refresher
    #if FeatureOverrides
        let overridden = Locked(FlagOverrides(.standard))
    #endif

    /// Reads the saved values. Sends no request; ``start()`` and ``refresh()`` do.
    ///
    /// - Parameters:
    ///   - declared: The flags that the app declares. Other flags are served as well; these are listed, and are requested by name
    ///     if a provider fetches flags individually.
    ///   - context: The context that flags are evaluated for.
    ///   - file: The file that keeps values between launches, one per provider; nil keeps none.
    ///   - polling: The interval between refreshes while they succeed; at least 10 seconds. Changes that the server announces are
    ///     fetched immediately.
    public convenience init(
        provider: any FlagProvider, declaring declared: [any DeclaredFlag] = [], context: FlagContext = .current,
        file: URL? = FeatureSwitches.defaultFile, polling: Duration = .seconds(900)
    ) {
        self.init(provider, declared, context, file: file, polling: polling, clock: .system)
    }

    package init(
        _ provider: any FlagProvider, _ declared: [any DeclaredFlag] = [], _ context: FlagContext = FlagContext(),
        file: URL?, polling: Duration = .seconds(900), clock: RefreshClock
    ) {
        (self.provider, self.declared) = (provider, declared)
        store = SwitchesStore(source: provider.source, flags: declared.map(\.id), context: context, file: file)
        // A shorter interval would flood the server.
        let plan = RefreshPlan(polling: max(polling, .seconds(10)))
        refresher = Refresher(provider, store, plan, clock)
        #if FeatureOverrides
            readOverrides()
        #endif
    }

    deinit { refresher.stop() }

    /// A file of the app's own: `APP/FeatureSwitches/values.json` in the application support directory, where APP is the bundle
    /// identifier or the name of the process.
    public static var defaultFile: URL? { KeptFile.standard("FeatureSwitches/values.json") }

    // MARK: Reading

    public func isFeatureEnabled(_ flag: FeatureFlag) -> Bool { store.isOn(flag) }

    public func details<Value>(of flag: FeatureValue<Value>) -> FlagDetails<Value> { store.snapshot.details(of: flag) }

    /// The current state: the origin of values, the last failure, and when the next refresh is due.
    public var state: SwitchesState { store.status }

    /// Yields an element after values or ``state`` have changed, for as long as it is iterated. Several changes may be coalesced
    /// into one element.
    public var updates: AsyncStream<Void> { store.updates }

    // MARK: Refreshing

    /// Refreshes now, and from then on whenever it is due: when the provider announces a change, when time changes a flag, at the
    /// polling interval, and soon after a failure. Call it at launch; further calls do nothing.
    public func start() { refresher.start() }

    /// Stops what ``start()`` started. Values are kept.
    public func stop() { refresher.stop() }

    /// Fetches from the provider now: for example after a push about changed flags, when the app comes to the foreground, or on
    /// pull to refresh.
    ///
    /// Calls that arrive during a fetch share the next one.
    @discardableResult
    public func refresh() async -> RefreshOutcome { await refresher.refresh() }

    /// The context that flags are evaluated for.
    public var context: FlagContext { store.context }

    /// Evaluates for another context from now on. Earlier values apply until the response arrives.
    @discardableResult
    public func setContext(_ context: FlagContext) async -> RefreshOutcome {
        store.set(context)
        return await refresh()
    }

    /// Resets to the defaults, also for the next launch, for example when a user signs out. Change the credentials first and
    /// refresh afterwards: a response that is in flight is dropped.
    public func forget() { store.forget() }
}
