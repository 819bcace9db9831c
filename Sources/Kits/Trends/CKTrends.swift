public import CloudKit
import Foundation

/// Counts the public records of an app's container, day by day, by asking CloudKit: how many of each type were created, and how long
/// lists are. For containers that are at Apple's service; a Nephos server counts by itself (docs/trends-kit.md).
///
/// A ``refresh()`` reads all records of a type the first time, and afterwards what is new. Counts are kept in a zone of the private
/// database of who refreshes, so that all devices of this person go on where one of them ended. No subscription is made, and no push
/// is asked for.
public final class CKTrends: Sendable {
    public let trackers: [TrendsTracker]
    /// Who may have the app refresh (``appWasOpened(from:then:)``).
    let callers: [String]
    private let run: TrendsRun
    private let refreshes = OneAtATime<TrendsRefresh>()

    /// - Parameters:
    ///   - recordTypes: Whose records are counted, in the order of figures.
    ///   - lists: Fields whose elements are counted.
    ///   - container: Whose public database is counted, and in whose private database counts are kept.
    ///   - timeZone: Whose days are counted. Nil for those in use, which are this device's at the first refresh. Another one than
    ///     before has every record read again.
    ///   - zoneName: Of the zone that counts are kept in, which nothing else may be in.
    ///   - callers: Who may have the app refresh: names of apps, the ends of their identifiers, or words in a URL.
    public convenience init(
        recordTypes: [CKRecord.RecordType], lists: [TrendsList] = [], container: CKContainer = .default(),
        timeZone: TimeZone? = nil, zoneName: String = "CKTrends", callers: [String] = ["CKTrends"]
    ) {
        self.init(
            recordTypes: recordTypes, lists: lists, container: container, timeZone: timeZone, zoneName: zoneName,
            callers: callers, tuning: TrendsTuning())
    }

    package init(
        recordTypes: [CKRecord.RecordType], lists: [TrendsList] = [], container: CKContainer, timeZone: TimeZone? = nil,
        zoneName: String = "CKTrends", callers: [String] = ["CKTrends"], tuning: TrendsTuning
    ) {
        trackers = TrendsTracker.all(recordTypes, lists)
        self.callers = callers
        // Nobody waits for these: the system may put them off, and what the app does itself comes first.
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = .utility
        configuration.timeoutIntervalForResource = tuning.patience
        let records = PublicRecords(
            database: container.publicCloudDatabase, configuration: configuration, pageSize: tuning.pageSize)
        let keeper = Keeper(
            database: container.privateCloudDatabase, zoneID: CKRecordZone.ID(zoneName: zoneName),
            configuration: configuration)
        run = TrendsRun(trackers: trackers, timeZone: timeZone, records: records, keeper: keeper, tuning: tuning)
    }

    /// Counts what is new. It throws nothing: what is wrong stands in its result, tracker by tracker.
    ///
    /// While one refresh goes on, another is that one. It goes on when its task is cancelled; what an app that is stopped has counted by
    /// then is kept in large part, and the next refresh goes on there.
    @discardableResult
    public func refresh() async -> TrendsRefresh {
        await refreshes.value { [run] in await run.refresh() }
    }

    /// Counts what is new, from where nothing can be awaited, such as an app delegate.
    ///
    /// - Parameter body: Is handed the result, on any thread.
    public func refresh(then body: @escaping @Sendable (TrendsRefresh) -> Void) {
        Task(priority: .utility) { body(await refresh()) }
    }

    /// What was counted so far, on any device of this person. Nothing is counted for it.
    public func figures() async throws(TrendsProblem) -> TrendsFigures {
        run.figures(try await run.keeper.read() ?? KeptCounts(run.keeper.zoneID))
    }
}
