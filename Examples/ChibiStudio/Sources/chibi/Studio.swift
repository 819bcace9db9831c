import CloudKit
import FeatureSwitches
import FeatureSwitchesCloudKit

/// The app: a studio whose features are switched by a server.
struct Studio {
    let switches: FeatureSwitches

    /// - Parameter readsRecords: Read flags as records with CloudKit, as from Apple's service, and evaluate them here; otherwise
    ///   the server evaluates them (OFREP).
    init(_ settings: Settings, readsRecords: Bool = false) {
        let provider: any FlagProvider =
            readsRecords
            ? CloudFlagProvider(container: .default(), records: .declared("FeatureFlag"))
            : OFREPProvider(
                server: settings.server, container: settings.container, environment: settings.environment,
                credentials: OFREPProvider.Credentials(
                    token: settings.apiToken, webAuthToken: { settings.webAuthToken }))
        var context = FlagContext.current
        if let locale = settings.locale { context.locale = locale }
        switches = FeatureSwitches(provider: provider, declaring: Feature.declared, context: context)
    }

    /// Fetches flags once, and shows everything. If that fails, the values of the last start are shown.
    func showOnce() async throws {
        let outcome = await switches.refresh()
        for feature in Feature.all(switches) { say("\(feature.name): \(feature.text)") }
        if case .failed(let fault) = outcome { throw Complaint("The request failed: \(fault)") }
    }

    /// Shows everything, and from then on each change as soon as the server reports it.
    func show() async {
        let updates = switches.updates
        var shown: [Feature] = []
        var isLive = false
        show(&shown)
        switches.start()
        for await _ in updates {
            show(&shown)
            let state = switches.state
            if state.isStreaming, !isLive { say("(live)") }
            isLive = state.isStreaming
            if let problem = state.problemText { complain(problem) }
        }
    }

    private func show(_ shown: inout [Feature]) {
        let features = Feature.all(switches)
        for feature in features where !shown.contains(feature) { say("\(feature.name): \(feature.text)") }
        shown = features
    }
}
