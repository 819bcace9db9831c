import CloudKitWire
import Foundation
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosSQLite
import NephosSettings
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosTrends

/// A ``SmallCloud`` whose server has trends, and a simple list of what was created and deleted there.
final class TrendCloud {
    /// A creation, a deletion or a restoration, as its author knows it.
    struct Event: Equatable {
        enum What: Equatable { case created, deleted, restored }

        let type: String
        let what: What
        let at: Milliseconds
        var name = ""
    }

    let cloud: SmallCloud
    let store: any TenantStore
    private(set) var events: [Event] = []
    /// By name: the type, and the time of creation.
    private(set) var live: [String: String] = [:]
    private(set) var trash: [String: String] = [:]

    /// - Parameter features: Features of the server in addition to trends.
    init(
        seed: UInt64 = 1, features: [Feature] = [], http: any OutgoingHTTP = NoOutgoingHTTP(),
        mail: any OutgoingMail = NoOutgoingMail()
    ) async throws {
        cloud = try await SmallCloud(
            seed: seed, features: [.settings, .trends] + features, http: http, mail: mail)
        let schema = SmallCloud.schema.replacing("RECORD TYPE Note", with: Self.post + "RECORD TYPE Note")
        _ = try await cloud.administration.importSchema(Array(schema.utf8), into: SmallCloud.tenant)
        store = try #require(try cloud.engine.open(SmallCloud.tenant))
        // Ada, Grace and a key, and the initial notes of the cloud.
        events += Array(repeating: Event(type: "Users", what: .created, at: SmallCloud.now), count: 3)
        for number in 0..<20 {
            events.append(Event(type: "Note", what: .created, at: SmallCloud.now))
            live["n\(number)"] = "Note"
        }
    }

    private static let post = """
        RECORD TYPE Post (
            "___recordID" REFERENCE QUERYABLE,
            text STRING QUERYABLE,
            version STRING,
            country STRING,
            level INT64,
            names LIST<STRING>,
            thread REFERENCE QUERYABLE,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );

        """

    var now: Milliseconds {
        get { cloud.inputs.now }
        set { cloud.inputs.now = newValue }
    }

    // MARK: Events

    /// Saves and deletes records of the public database; returns the error code of each, or "".
    func modify(_ operations: [String], in scope: String = "public", zone: String? = nil) throws -> [String] {
        let zoneID = zone.map { #""zoneID":{"zoneName":"\#($0)"},"# } ?? ""
        let body = "{\(zoneID)\"operations\":[\(operations.joined(separator: ","))]}"
        // A server's key outlives all sessions while months pass.
        let answer = try cloud.ask(
            "POST", "/database/1/\(SmallCloud.container)/development/\(scope)/records/modify", body,
            as: scope == "public" ? .key : .person)
        return try JSON(reading: answer.body)["records"].elements.map { $0["serverErrorCode"].string ?? "" }
    }

    static func save(_ type: String, _ name: String, _ kind: String = "forceUpdate", fields: String = "") -> String {
        #"{"operationType":"\#(kind)","record":{"recordType":"\#(type)","recordName":"\#(name)","fields":{\#(fields)}}}"#
    }

    static func delete(_ name: String) -> String {
        #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#
    }

    /// Records that a record was saved.
    func saved(_ type: String, _ name: String) {
        guard live.updateValue(type, forKey: name) == nil else { return }
        trash[name] = nil
        events.append(Event(type: type, what: .created, at: now, name: name))
    }

    func deleted(_ name: String) {
        guard let type = live.removeValue(forKey: name) else { return }
        trash[name] = type
        events.append(Event(type: type, what: .deleted, at: now, name: name))
    }

    func restored(_ name: String) {
        guard let type = trash.removeValue(forKey: name) else { return }
        live[name] = type
        events.append(Event(type: type, what: .restored, at: now, name: name))
    }

    func set(_ document: String) async throws {
        try await setAlone(document)
        // Like an import of settings (``SectionGuard/trends``).
        try await adjust()
    }

    /// Changes the settings without notifying anything.
    func setAlone(_ document: String) async throws {
        let known = try store.read(ReadSet()).catalog.knownSections
        let change = try ChangeSections(["trends": Array(document.utf8)[...]], of: known, by: "ada", now: now)
        _ = try await store.commit(change.reading, decide: change.decide)
    }

    /// Turns the store into one from before anything was counted. What was deleted and restored before is lost.
    func forget() async throws {
        var set = ReadSet()
        set.databases = [1]
        let series = try store.read(ReadSet()).catalog.types.values.map { TrendSeries(type: $0.row.number) }
        let days = series.map { TrendMonthRow.since(-1, of: $0) }
        for scan in days { set.ask(scan) }
        set.ask(TrendSumRow.of(series))
        set.ask(TrendSpillRow.of(1, limit: 10_000))
        try await store.commit(set) { reading in
            var writes = WriteSet()
            if var head = reading.databases[0] {
                for name in [Trends.name, TrendState.name] { _ = head.annex.set([], of: name) }
                writes.heads = [head]
            }
            for row in days.flatMap({ reading[$0] }) { writes.remove(row) }
            for row in reading[TrendSumRow.of(series)] { writes.remove(row) }
            for row in reading[TrendSpillRow.of(1, limit: 10_000)] { writes.remove(row) }
            return .write(writes, ())
        }
    }

    /// A record that was restored before counting began left nothing in the trash.
    func began() {
        var known: [Event] = []
        for event in events {
            if event.what == .restored,
                let gone = known.lastIndex(where: { $0.what == .deleted && $0.name == event.name })
            {
                known.remove(at: gone)
            } else {
                known.append(event)
            }
        }
        events = known
    }

    /// Begins to count what the settings require.
    func adjust() async throws {
        let adjust = AdjustTrackers()
        _ = try await store.commit(adjust.reading, decide: adjust.decide)
    }

    /// Counts a few records of the public database back.
    ///
    /// - Returns: Whether anything was left.
    func countBack(_ rows: Int) async throws -> Bool {
        var set = ReadSet()
        set.databases = [1]
        guard let chunk = try store.read(set).databases[0]?.trends.next else { return false }
        let step = Backfill(1, chunk, rows: rows, now: now)
        try await store.commit(step.reading, decide: step.decide)
        return true
    }

    /// Has the counts in the heads added to the sums.
    func fold() async {
        now += 2_000
        await cloud.runDueJobs()
    }

    // MARK: Figures

    /// Responses of another endpoint of trends.
    func ask(_ path: String, _ method: String = "GET", as caller: SmallCloud.Caller = .key) throws -> (
        status: Int, text: String
    ) {
        let path = "/nephos/1/\(SmallCloud.container)/development/trends/\(path)"
        let answer = try cloud.ask(method, path, as: caller)
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    func series(
        _ query: String, headers: [(String, String)] = [], as caller: SmallCloud.Caller = .key
    ) throws -> (status: Int, body: [UInt8]) {
        let path = "/nephos/1/\(SmallCloud.container)/development/trends/series"
        let answer = try cloud.ask("GET", "\(path)?\(query)", headers: headers, as: caller)
        return (answer.status, answer.body)
    }

    /// The server's figures of a type, one line per period.
    func told(_ type: String, zone: String, by period: String) throws -> [String] {
        let answer = try series("type=\(type)&zone=\(zone)&by=\(period)")
        return try JSON(reading: answer.body)["periods"].elements.map { row in
            let counts = ["created", "deleted", "restored", "live"].map { "\(row[$0].int64 ?? -1)" }
            return "\(row["start"].string ?? "") \(counts.joined(separator: " "))"
        }
    }

    // MARK: A recount

    /// The same, counted from ``events`` one by one, in the calendar of Foundation.
    func recount(_ type: String, zone: String, by period: String) throws -> [String] {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let unit: Calendar.Component = try #require(
            ["day": .day, "week": .weekOfYear, "month": .month, "year": .year][period])
        func start(_ time: Milliseconds) throws -> Date {
            try #require(
                calendar.dateInterval(of: unit, for: Date(timeIntervalSince1970: Double(time) / 1_000))?.start)
        }
        let own = events.filter { $0.type == type }
        guard let first = own.map(\.at).min() else { return [] }
        var lines: [String] = []
        var (at, live) = (try start(first), 0)
        let last = try start(now)
        while at <= last {
            let next = try #require(calendar.dateInterval(of: unit, for: at)?.end)
            func count(_ what: Event.What) throws -> Int {
                try own.count { try $0.what == what && start($0.at) == at }
            }
            let (created, deleted, restored) = (try count(.created), try count(.deleted), try count(.restored))
            live += created - deleted + restored
            // A day without a midnight begins later.
            let parts = calendar.dateComponents([.year, .month, .day], from: at)
            lines.append(
                String(
                    format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
                    + " \(created) \(deleted) \(restored) \(live)")
            at = next
        }
        return lines
    }
}
