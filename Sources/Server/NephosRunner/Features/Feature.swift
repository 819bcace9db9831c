package import Audience
package import NephosAssets
package import NephosDomain
package import NephosStorage

/// What a folder below `Sources/Features` adds to a server (docs/decisions/0028). A value: a program is put together from a list of
/// them, and nothing else of it knows which there are.
package struct Feature: Sendable {
    /// A word in lower case; no two have the same.
    package let name: String
    /// Tables of its own (docs/decisions/0020).
    package var tables: [any StoredRow.Type]
    /// What it adds to the life of records, and by which documents it is set up.
    package var rules: RuleBook
    /// What operators can have done.
    package var useCases: [UseCaseGroup]
    /// What is made sure of when its sections change.
    package var guards: [SectionGuard] = []
    /// Its work that is due when operators have changed the schema of an environment; nil for none.
    package var jobOfSchema: String?
    /// Finds what of its own does not agree with the records of an environment, beside what every table is checked for; answers what is
    /// wrong, each with the table.
    package var check: @Sendable (Administration, any TenantStore) throws(AdminError) -> [CheckFinding] = {
        _, _ throws(AdminError) in []
    }
    /// Goes over what apps said last that they are (`X-Nephos-App`), each client as conditions of audiences judge it; answers whether it counts
    /// clients of this environment.
    package var clients:
        @Sendable (Administration, any TenantStore, _ now: Milliseconds, (EvaluationContext) -> Void)
            throws(AdminError) -> Bool = { _, _, _, _ throws(AdminError) in false }
    /// Removes from an environment what stands on secrets of its own that cannot be opened any more; answers how many rows.
    package var keyIsLost: @Sendable (Administration, Tenant) async throws(AdminError) -> Int = {
        _, _ throws(AdminError) in 0
    }
    /// Removes from an environment what of its own names a person who leaves in any other way than by ``NephosStorage/Table/person``, which is seen
    /// to. It may be called again, and may find a part gone already.
    package var leaving: @Sendable (LeavingPerson) async throws -> Void = { _ in }
    /// Called with the API token of the container that is there to try things with (`serve --demo`), each time the server starts.
    package var demoIsMade: @Sendable (Administration, Tenant, _ apiToken: String) async throws(AdminError) -> Void = {
        _, _, _ throws(AdminError) in
    }
    /// Called with the store that a server which is told these settings is about to serve. What it throws ends the start.
    package var beforeServing: @Sendable (FeatureSettings, any StorageEngine) throws -> Void = { _, _ in }
    /// What it does in a server that is told these settings: called once for each, before the server opens anything, so that
    /// settings which cannot be meant are refused in time.
    package var prepare: @Sendable (FeatureSettings) throws -> Serving

    /// What a server does for a feature. Called once, when the server is put together.
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

/// What whoever runs a server has told it, as far as features heed it.
package struct FeatureSettings: Sendable {
    package var environment: EnvironmentVariables
    /// Hosts that may be called though they are this machine or in a private network.
    package var calledHosts: [String] = []
    /// The program that sends mails, whatever the installation says; nil for what that says.
    package var mailProgram: String?
    /// Where mails become files, if that is how they are sent; nil for nowhere.
    package var mailFolder: String?
    /// Mails become files where the installation does not say how they are sent.
    package var keepsMails = false
    /// Scheme and authority by which clients reach the server; nil where nobody said.
    package var publicURL: String?
    /// The host that passkeys are for; nil for that of ``publicURL``.
    package var relyingParty: String?
    /// Nobody is notified of anything, and nothing is added up, so that it can be seen what saves alone cost.
    package var isQuiet = false

    package init(environment: [String: String] = [:]) { self.environment = EnvironmentVariables(environment) }
}

/// What a server lends to a feature.
package struct FeatureHost: Sendable {
    /// The way of what no request waits for, with the server's clock.
    package var worker: Worker
    /// The same on threads of its own, for so much work that requests would have to wait for threads.
    package var apart: Worker
    package var chance: Chance
    /// Wakes who waits for topics.
    package var news: NewsWatch
    /// Has indexes built for what a feature asks of records, as for queries of clients.
    package var indexes: IndexKeeper
    /// The files of assets. Asking it may wait.
    package var files: any AssetStore
    /// Asks others.
    package var http: any OutgoingHTTP
    /// Whether mails are sent. They are put into the outbox (``NewMail``).
    package var mail: MailState
    /// Scheme and authority by which clients reach the server; nil takes those of each connection (``RawRequest/origin``).
    package var publicURL: String?
    /// Makes a counter of the metrics, by a name such as `nephos_deliveries_total` and dimensions; what it answers counts one more.
    package var counter: @Sendable (String, [(String, String)]) -> @Sendable () -> Void
    /// Has the log told what failed, for which tenant and why.
    package var failed: @Sendable (String, Tenant, any Error) -> Void

    package init(
        worker: Worker, apart: Worker, chance: Chance, news: NewsWatch, indexes: IndexKeeper,
        files: any AssetStore, http: any OutgoingHTTP,
        mail: MailState = MailState(),
        counter: @escaping @Sendable (String, [(String, String)]) -> @Sendable () -> Void,
        failed: @escaping @Sendable (String, Tenant, any Error) -> Void
    ) {
        (self.worker, self.apart, self.chance) = (worker, apart, chance)
        (self.news, self.indexes) = (news, indexes)
        (self.files, self.http, self.mail) = (files, http, mail)
        (self.counter, self.failed) = (counter, failed)
    }

    package var runner: Runner { worker.runner }
}

/// What a server does for a feature.
package struct FeatureService: Sendable {
    package var endpoints: [Endpoint]
    /// Pages that are of no container, each with a path of its own.
    package var pages: [SitePage] = []
    /// Where the person of a call signs in; nil for a call where nobody can. At most one feature of a program has it.
    package var signInURL: (@Sendable (Call) -> String?)?
    /// Background work, each piece done by one of several servers.
    package var jobs: [Job]
    /// Figures that are asked for whenever somebody reads the metrics, by names such as `nephos_devices_waiting`.
    package var figures: [String: @Sendable () -> Double]
    /// The same, told apart by labels.
    package var families: [FigureFamily] = []
    /// What metrics of the feature count, by their names: a sentence for whoever reads them.
    package var help: [String: String] = [:]
    /// Told what the app of a request says of itself (`X-Nephos-App`), once it is known who asks; whatever the request comes to. Never waits.
    package var heard: (@Sendable (AdmittedCall, String) -> Void)?
    /// Begins to hear the engine's news. Called once, before ``jobs`` look and before ``run``: what is written earlier is found by
    /// a job, what is written later is heard.
    package var listen: (@Sendable () -> Void)?
    /// Works until its task is cancelled, then ends what is under way; nil where there is nothing to do.
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
    /// What an engine is opened with, so that stores have their tables, and catalogs their rules.
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

    /// What they do in a server that is told these settings, and what is done for all of them.
    package func prepared(for settings: FeatureSettings) throws -> [Feature.Serving] {
        let served = try map { try $0.prepare(settings) }
        let hasMoments = contains { !$0.rules.visibility.isEmpty }
        return served + [
            { host in
                let leaving = Job.leaving(AccountErasure(host.worker, files: host.files, features: self))
                return FeatureService(jobs: hasMoments ? [leaving, .dueEvents(host.worker)] : [leaving])
            }
        ]
    }
}
