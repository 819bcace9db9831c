import NephosDomain
package import NephosRunner
import NephosStorage

/// What happens in a container, day by day: how many records of each type were created, deleted and restored (docs/trends.md).
extension Feature {
    package static let trends: Feature = {
        var feature = Feature(
            Trends.name,
            tables: [
                TrendSumRow.self, TrendMonthRow.self, TrendSpillRow.self, TrackerRow.self, TrendNewestRow.self,
                TrendMarkRow.self, TrendAlarmRow.self, TrendTokenRow.self, ImportSeriesRow.self, ImportYearRow.self,
                ClientRow.self, TrendRareRow.self,
            ],
            rules: RuleBook(
                records: [PartRule(), NewestRule()], sections: [CatalogSection.trends, CatalogSection.clients],
                counters: [TrendCounter()]),
            useCases: [.trends, .clients])
        feature.guards = [.trends]
        feature.jobOfSchema = Trends.name
        feature.check = { administration, store throws(AdminError) in
            try TrendCheck(administration, store).report().findings
                + ClientCheck.report(administration, store).findings
        }
        feature.clients = { administration, store, now, body throws(AdminError) in
            guard try administration.read(store).catalog.clients.isReporting else { return false }
            try ClientPages(administration: administration, store: store).forEach { body($0.context(now: now)) }
            return true
        }
        feature.leaving = { person in
            let catalog = try await person.worker.read(ReadSet(), from: person.store).catalog
            let forget = ForgetClients(of: person.user.id, catalog, now: person.worker.now)
            _ = try await person.worker.runner.commit(forget.reading, to: person.store, decide: forget.decide)
        }
        feature.prepare = { settings in
            { host in
                let reports = ClientReports()
                let gauges = TrendGauges { host.worker.now }
                var service = FeatureService(
                    endpoints: Trends.endpoints(host),
                    jobs: settings.isQuiet
                        ? []
                        : [TrendWork.job(host.worker, gauges), SendAlarms.job(host), ForgetClients.job(host.worker)],
                    run: { await reports.run(host) })
                service.onAppReport = reports.receive
                service.families = gauges.families
                service.help = TrendGauges.help
                return service
            }
        }
        return feature
    }()
}

/// Names that all parts of the feature share.
enum Trends {
    /// The name of the feature, its section, its job, and its annex in heads.
    static let name = "trends"
    /// The public database, which stores the sums of all databases.
    static let database: DatabaseNumber = 1
    /// Posted when sums have changed, at most once a second.
    static let topic = Topic(name, database)
    /// Milliseconds of a quarter of an hour, the resolution of counts: the offsets of all zones in use are multiples of it.
    static let quarter: Milliseconds = 900_000
    /// Quarters per day.
    static let quartersOfDay: Int64 = 96
}
