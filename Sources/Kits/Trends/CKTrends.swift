public import CloudKit
import Foundation

/// Counts the public records of an app's container, day by day, by querying CloudKit: how many of each type were created, and how
/// long lists are. For containers that are at Apple's service; a Nephos server counts by itself (docs/trends-kit.md).
///
/// A ``refresh()`` reads all records of a type the first time, and afterwards what is new. Counts are stored in a zone of the
/// user's private database, so that each of their devices continues where another ended. It creates no subscription and requests no
/// push notifications.
public final class CKTrends: Sendable {
    public let trackers: [TrendsTracker]
    /// The apps that may trigger a refresh (``appWasOpened(from:then:)``).
    let callers: [String]
    private let run: TrendsRun
    private let refreshes = SingleFlight<TrendsRefresh>()

    /// - Parameters:
    ///   - recordTypes: The record types that are counted, in the order of figures.
    ///   - lists: The fields whose elements are counted.
    ///   - container: The container whose public database is counted, and whose private database stores counts.
    ///   - timeZone: The time zone of days. Nil for the one already in use, which is this device's at the first refresh. Changing
    ///     it has every record read again.
    ///   - zoneName: The zone that stores counts, which must contain nothing else.
    ///   - callers: The apps that may trigger a refresh: names of apps, the ends of their identifiers, or words in a URL.
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
        // These operations are not urgent: the system may delay them in favor of the app's own.
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = .utility
        configuration.timeoutIntervalForResource = tuning.requestTimeout
        let records = PublicRecords(
            database: container.publicCloudDatabase, configuration: configuration, pageSize: tuning.pageSize)
        let keeper = Keeper(
            database: container.privateCloudDatabase, zoneID: CKRecordZone.ID(zoneName: zoneName),
            configuration: configuration)
        run = TrendsRun(trackers: trackers, timeZone: timeZone, records: records, keeper: keeper, tuning: tuning)
    }

    /// Counts what is new. Never throws: problems are in the result, tracker by tracker.
    ///
    /// While a refresh is running, further calls join it. It continues if its task is cancelled. If the app is stopped, most of
    /// what was counted by then is stored, and the next refresh continues there.
    @discardableResult
    public func refresh() async -> TrendsRefresh {
        await refreshes.value { [run] in await run.refresh() }
    }

    /// Counts what is new, for code that cannot await, such as an app delegate.
    ///
    /// - Parameter body: Called with the result, on any thread.
    public func refresh(then body: @escaping @Sendable (TrendsRefresh) -> Void) {
        Task(priority: .utility) { body(await refresh()) }
    }

    /// The counts stored so far by any of this user's devices. Counts nothing.
    public func figures() async throws(TrendsProblem) -> TrendsFigures {
        run.figures(try await run.keeper.read() ?? KeptCounts(run.keeper.zoneID))
    }
}
