package import Audience
package import NephosAssets
package import NephosDomain
package import NephosStorage

/// What a folder below `Sources/Features` adds to a server (docs/decisions/0028). A value: a program is composed from a list of
/// features, and no other part of it depends on which they are.
package struct Feature: Sendable {
    /// A lowercase word, unique among features.
    package let name: String
    /// Its own tables (docs/decisions/0020).
    package var tables: [any StoredRow.Type]
    /// What it adds to the processing of records, and the documents that configure it.
    package var rules: RuleBook
    /// The operations that it offers to operators.
    package var useCases: [UseCaseGroup]
    /// The checks that run when its sections change.
    package var guards: [SectionGuard] = []
    /// The job to run after operators have changed the schema of an environment; nil for none.
    package var jobOfSchema: String?
    /// Refuses a schema that stored records of an environment forbid. Nothing has changed yet.
    package var checkSchema: @Sendable (SchemaMove) throws(AdminError) -> Void = { _ throws(AdminError) in }
    /// Finds its own data that contradicts the records of an environment, in addition to the checks of every table; returns the
    /// findings, each with the table.
    package var check: @Sendable (Administration, any TenantStore) throws(AdminError) -> [CheckFinding] = {
        _, _ throws(AdminError) in []
    }
    /// Visits what apps last reported about themselves (`X-Nephos-App`), each client in the form in which audience conditions evaluate it;
    /// returns whether the feature counts clients of this environment.
    package var clients:
        @Sendable (Administration, any TenantStore, _ now: Milliseconds, (EvaluationContext) -> Void)
            throws(AdminError) -> Bool = { _, _, _, _ throws(AdminError) in false }
    /// Removes from an environment the rows that depend on the feature's secrets that can no longer be decrypted; returns the
    /// number of rows.
    package var keyIsLost: @Sendable (Administration, Tenant) async throws(AdminError) -> Int = {
        _, _ throws(AdminError) in 0
    }
    /// Removes from an environment the feature's data about a person who leaves, except rows found by ``NephosStorage/Table/person``, which are
    /// removed anyway. It may be called again, and a part may already be gone.
    package var leaving: @Sendable (LeavingPerson) async throws -> Void = { _ in }
    /// Called with the API token of the demo container (`serve --demo`), each time the server starts.
    package var demoWasCreated:
        @Sendable (Administration, Tenant, _ apiToken: String) async throws(AdminError) -> Void = {
            _, _, _ throws(AdminError) in
        }
    /// Called with the store that a server with these settings is about to serve. An error prevents the start.
    package var beforeServing: @Sendable (FeatureSettings, any StorageEngine) throws -> Void = { _, _ in }
    /// Prepares what it does in a server with these settings: called once for each server, before it opens anything, so that
    /// settings that are not valid are refused early.
    package var prepare: @Sendable (FeatureSettings) throws -> Serving

    /// What a server does for a feature. Called once, when the server is assembled.
    package typealias Serving = @Sendable (FeatureHost) -> FeatureService

    package init(
        _ name: String, tables: [any StoredRow.Type] = [], rules: RuleBook = RuleBook(), useCases: [UseCaseGroup] = [],
        serving: @escaping Serving = { _ in FeatureService() }
    ) {
        self.name = name
        self.tables = tables
        self.rules = rules
        self.useCases = useCases
        prepare = { _ in serving }
    }
}

/// The server's settings that features use.
package struct FeatureSettings: Sendable {
    package var environment: EnvironmentVariables
    /// Hosts that may be called although they are this machine or in a private network.
    package var calledHosts: [String] = []
    /// The program that sends mails, regardless of the installation's settings; nil to use those.
    package var mailProgram: String?
    /// The folder for mails, if they are written to files; nil for none.
    package var mailFolder: String?
    /// Mails are written to files if the installation does not configure mail.
    package var keepsMails = false
    /// Where clients reach the server; nil if not configured.
    package var publicURL: PublicURL?
    /// ``FeatureHost/isLocal``
    package var isLocal = false
    /// The host that passkeys are for; nil for that of ``publicURL``.
    package var relyingParty: String?
    /// Sends no notifications and computes no aggregates, so that the cost of saves alone can be measured.
    package var isQuiet = false

    package init(environment: [String: String] = [:], isLocal: Bool = false) {
        (self.environment, self.isLocal) = (EnvironmentVariables(environment), isLocal)
    }
}

/// What a server provides to a feature.
package struct FeatureHost: Sendable {
    /// Runs work that no request waits for, with the server's clock.
    package var worker: Worker
    /// The same on separate threads, for work so heavy that requests would otherwise wait for threads.
    package var apart: Worker
    package var randomSource: RandomSource
    /// Wakes listeners of topics.
    package var news: NewsWatch
    /// Builds the indexes that a feature's queries need, as for queries of clients.
    package var indexes: IndexKeeper
    /// The files of assets. Its calls may block.
    package var files: any AssetStore
    /// Sends requests to other servers.
    package var http: any OutgoingHTTP
    /// Whether mails are sent. They are put into the outbox (``NewMail``).
    package var mail: MailState
    /// Where clients reach the server; nil to use what each connection reached (``RawRequest/origin``).
    package var publicURL: PublicURL?
    /// Only this machine reaches the server: it listens on loopback alone, trusts no proxy, and has no public URL elsewhere.
    package var isLocal = false
    /// Creates a counter metric with a name such as `nephos_deliveries_total` and dimensions; the returned function increments it.
    package var counter: @Sendable (String, [(String, String)]) -> @Sendable () -> Void
    /// Logs a failure with its tenant and reason.
    package var failed: @Sendable (String, Tenant, any Error) -> Void

    package init(
        worker: Worker, apart: Worker, randomSource: RandomSource, news: NewsWatch, indexes: IndexKeeper,
        files: any AssetStore, http: any OutgoingHTTP,
        mail: MailState = MailState(),
        counter: @escaping @Sendable (String, [(String, String)]) -> @Sendable () -> Void,
        failed: @escaping @Sendable (String, Tenant, any Error) -> Void
    ) {
        (self.worker, self.apart, self.randomSource) = (worker, apart, randomSource)
        (self.news, self.indexes) = (news, indexes)
        (self.files, self.http, self.mail) = (files, http, mail)
        (self.counter, self.failed) = (counter, failed)
    }

    package var runner: Runner { worker.runner }

    /// The beginning of the server's URLs for anything that is sent to somebody other than the sender of `request`, such as a mail, or
    /// is stored; nil if it is not known. The headers of a request have no part in it, not even those of a trusted proxy, which may
    /// pass on what its client wrote. Where they show a proxy, its own address reaches only this machine.
    package func originForOthers(_ request: RawRequest) -> String? {
        publicURL?.text ?? (isLocal && !request.headers.showsProxy ? request.peer.origin : nil)
    }
}

/// What a server does for a feature.
package struct FeatureService: Sendable {
    package var endpoints: [Endpoint]
    /// Pages that belong to no container, each with a distinct path.
    package var pages: [SitePage] = []
    /// The URL where the person of a call signs in; nil for a call for which nobody can. At most one feature of a program sets
    /// it.
    package var signInURL: (@Sendable (Call) -> String?)?
    /// Background work; each piece is done by one of several servers.
    package var jobs: [Job]
    /// Gauges that are read whenever the metrics are scraped, with names such as `nephos_devices_waiting`.
    package var figures: [String: @Sendable () -> Double]
    /// The same, distinguished by labels.
    package var families: [FigureFamily] = []
    /// The HELP texts of the feature's metrics, by their names.
    package var help: [String: String] = [:]
    /// Called with what the app of a request reports about itself (`X-Nephos-App`), once the caller is known, whatever the result of
    /// the request. Never blocks.
    package var onAppReport: (@Sendable (AdmittedCall, String) -> Void)?
    /// Starts listening to the engine's news. Called once, before ``jobs`` and ``run`` start: a job finds what was written
    /// earlier, and later writes are heard.
    package var listen: (@Sendable () -> Void)?
    /// Works until its task is cancelled, then completes running work; nil if there is nothing to do.
    package var run: (@Sendable () async -> Void)?

    package init(
        endpoints: [Endpoint] = [], jobs: [Job] = [], figures: [String: @Sendable () -> Double] = [:],
        run: (@Sendable () async -> Void)? = nil
    ) {
        self.endpoints = endpoints
        self.jobs = jobs
        self.figures = figures
        self.run = run
    }
}

extension [Feature] {
    /// The tables with which an engine is opened, so that stores have the features' tables, and catalogs their rules.
    package var tables: TableSet {
        guard !isEmpty else { return .server }
        for names in [map(\.name), flatMap(\.rules.sections).map(\.name)] {
            precondition(Set(names).count == names.count, "two features, or two sections, have one name: \(names)")
        }
        let rules = RuleBook(
            records: flatMap(\.rules.records), visibility: flatMap(\.rules.visibility),
            sections: flatMap(\.rules.sections), counters: flatMap(\.rules.counters))
        return TableSet(adding: flatMap(\.tables)) { rules.isEmpty ? nil : rules.rules(of: $0) }
    }

    package var useCases: [UseCaseGroup] { flatMap(\.useCases) }

    /// What the features do in a server with these settings, plus what is done for all of them.
    package func prepared(for settings: FeatureSettings) throws -> [Feature.Serving] {
        let served = try map { try $0.prepare(settings) }
        let hasMoments = contains { !$0.rules.visibility.isEmpty }
        return served + [
            { host in
                let leaving = Job.leaving(AccountErasure(host.worker, files: host.files, features: self))
                let jobs = [leaving, .shares(host.worker), .preparingShares(host.worker)]
                return FeatureService(jobs: hasMoments ? jobs + [.dueEvents(host.worker)] : jobs)
            }
        ]
    }
}
