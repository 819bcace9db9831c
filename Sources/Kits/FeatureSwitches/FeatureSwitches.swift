public import Foundation
package import KitSupport
import NephosTransport

/// An app's switches: what a provider said last, asked synchronously, and refreshed in the background.
///
///     let switches = FeatureSwitches(provider: provider, declaring: [.tipJar])
///     switches.start()
///     if switches.isFeatureEnabled(.tipJar) { … }
///
/// Values are there before the first refresh: those that a file has kept from the last start, else the defaults. A refresh that
/// fails changes nothing but ``state``, and is tried again.
public final class FeatureSwitches: FeatureSwitchProvider {
    /// Where values are from.
    public let provider: any FlagProvider
    /// What the app declares, in its order: what the internal screen lists first.
    public let declared: [any DeclaredFlag]
    let store: SwitchesStore
    private let refresher: Refresher
    #if FeatureOverrides
        let overridden = Locked(FlagOverrides(.standard))
    #endif

    /// Reads what was kept, and asks nobody: ``start()`` or ``refresh()`` do.
    ///
    /// - Parameters:
    ///   - declared: The flags that the app knows. Others are served, too; these are listed, and asked for where a provider asks for
    ///     each.
    ///   - context: Whom flags are evaluated for.
    ///   - file: Where values are kept from one start to the next, one for each provider; nil keeps none.
    ///   - polling: How often one asks as long as all goes well. Changes that are told are there at once.
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
        // Less would be a storm, whatever was meant.
        let plan = RefreshPlan(polling: max(polling, .seconds(10)))
        refresher = Refresher(provider, store, plan, clock)
        #if FeatureOverrides
            readOverrides()
        #endif
    }

    deinit { refresher.stop() }

    /// A file of the app's own: `APP/FeatureSwitches/values.json` among what programs support themselves with, by the app's bundle
    /// identifier, or the name of its process.
    public static var defaultFile: URL? { KeptFile.standard("FeatureSwitches/values.json") }

    // MARK: Asking

    public func isFeatureEnabled(_ flag: FeatureFlag) -> Bool { store.isOn(flag) }

    public func details<Value>(of flag: FeatureValue<Value>) -> FlagDetails<Value> { store.snapshot.details(of: flag) }

    /// How it stands: where values are from, what failed last, when one asks again.
    public var state: SwitchesState { store.status }

    /// One element whenever values or ``state`` have changed, for as long as somebody reads them. Several changes may be one element.
    public var updates: AsyncStream<Void> { store.updates }

    // MARK: Refreshing

    /// Refreshes now, and from then on whenever it is due: when the provider tells of a change, when time changes a flag, from time to
    /// time, and soon after a failure. To be called at launch; again it does nothing.
    public func start() { refresher.start() }

    /// Ends what ``start()`` began. Values stay.
    public func stop() { refresher.stop() }

    /// Asks the provider now: when a push says that flags have changed, when an app comes to the front, when somebody pulls a list.
    ///
    /// Calls that come while one asks share the next request.
    @discardableResult
    public func refresh() async -> RefreshOutcome { await refresher.refresh() }

    /// Whom flags are evaluated for.
    public var context: FlagContext { store.context }

    /// Evaluates for somebody else from now on. The values from before hold until the answer is there.
    @discardableResult
    public func setContext(_ context: FlagContext) async -> RefreshOutcome {
        store.set(context)
        return await refresh()
    }

    /// Goes back to the defaults, also for the next start, as one may want when somebody signs out. Change the credentials first,
    /// and ask anew afterwards: an answer that was under way is dropped.
    public func forget() { store.forget() }
}
