import CloudKitWire
import NephosBackend
import NephosEndpoints
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// docs/content.md: before its time, and after its end, every entry point responds for content as if it did not exist.
@Suite("Early content at every endpoint") struct DoorsTests {
    /// The requests of an entry point, in which NAME is replaced by a record that is early or does not exist, and TIME by the
    /// current time, so that each reference is new.
    private enum Door {
        case database(_ bodies: [String])
        case content(_ method: String, _ path: String, _ body: String)
        /// Why content cannot be found there.
        case none(String)
    }

    private static let noRecords = "It knows no records."
    private static let doors: [String: Door] = [
        "records/query": .database([
            #"{"query":{"recordType":"Chibi"}}"#,
            #"{"query":{"recordType":"Chibi","filterBy":[{"comparator":"EQUALS","fieldName":"___recordID","fieldValue":{"value":{"recordName":"NAME"},"type":"REFERENCE"}}]}}"#,
            #"{"query":{"recordType":"Chibi","sortBy":[{"fieldName":"publishedAt","ascending":false}]},"resultsLimit":1}"#,
        ]),
        "records/lookup": .database([#"{"records":[{"recordName":"NAME"}]}"#]),
        "records/modify": .database(
            ["create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"].map { kind in
                #"{"operations":[{"operationType":"\#(kind)","record":{"recordName":"NAME","recordType":"Chibi","fields":{}}}]}"#
            } + [
                #"{"operations":[{"operationType":"forceUpdate","record":{"recordName":"note-NAME-TIME","recordType":"Note","fields":{"next":{"value":{"recordName":"NAME","action":"VALIDATE"}}}}}]}"#
            ]),
        "records/changes": .database([#"{"zoneID":{"zoneName":"_defaultZone"}}"#]),
        "changes/zone": .database([#"{"zones":[{"zoneID":{"zoneName":"_defaultZone"}}]}"#]),
        "changes/database": .database(["{}"]),
        "zones/changes": .database([#"{"zones":[{"zoneID":{"zoneName":"_defaultZone"}}]}"#]),
        "zones/list": .none("It knows zones."), "zones/lookup": .none("It knows zones."),
        "zones/modify": .none("It knows zones."),
        "records/resolve": .none("It knows shares, of which the public database has none."),
        "records/accept": .none("It knows shares, of which the public database has none."),
        "users/caller": .none("It knows who asks."), "users/current": .none("It knows who asks."),
        "assets/upload": .database([
            #"{"tokens":[{"recordName":"NAME","recordType":"Chibi","fieldName":"thumbnail"}]}"#
        ]),
        "assets/rereference": .database([
            #"{"assets":[{"recordName":"NAME","recordType":"Chibi","fieldName":"thumbnail"}]}"#
        ]),
        "subscriptions/list": .none("What somebody subscribed to; NoticeTests has what they are notified of."),
        "subscriptions/lookup": .none("The same."), "subscriptions/modify": .none("The same."),
        "tokens/create": .none("It knows devices."), "tokens/register": .none("It knows devices."),
        "aps": .none("NoticeTests has what comes."),
        "content/{type}/pick": .content("GET", "pick?count=20", ""),
        "content/{type}/list": .content("GET", "list?count=20", ""),
        "content/{type}/choose": .none(noRecords),
        "content/{type}/publish": .content("POST", "publish", #"{"recordName":"NAME"}"#),
    ]

    /// Strangers, users and keys; participants of shares are users like others in the public database.
    private static let callers: [SmallCloud.Caller] = [.app, .person, .key]

    private func ask(_ door: Door, _ name: String, _ path: String, _ own: ContentCloud, as caller: SmallCloud.Caller)
        throws -> [String]
    {
        func named(_ text: String) -> String {
            text.replacing("NAME", with: name).replacing("TIME", with: "\(own.now)")
        }
        switch door {
        case .none: return []
        case .database(let bodies):
            return try bodies.map { try own.database(path, named($0), as: caller).text }
        case .content(let method, let path, let body):
            return [
                try own.cloud.ask(
                    method, "/nephos/1/\(SmallCloud.container)/development/content/Chibi/\(path)", named(body),
                    as: caller
                ).text
            ]
        }
    }

    /// Without the name, and without what differs in each response: IDs of requests, and URLs of uploads.
    private static func plain(_ text: String, _ name: String) throws -> String {
        text.replacing(name, with: "NAME").replacing(try Regex(#""(uuid|url)"\s*:\s*"[^"]*""#), with: "")
    }

    @Test(
        "Each endpoint treats early and ended content as a missing record, to the millisecond (S0-53, S0-54)"
    )
    func doors() async throws {
        let own = try await ContentCloud()
        let (start, end) = (own.now + 60_000, own.now + 60_005)
        let picture = try await withTaskExecutorPreference(OwnThreads.ofTests) { try own.upload(for: "ghost") }
        #expect(try own.save("ghost", "\(ContentCloud.published(at: start, until: end)),\(picture)") == "")
        own.now += FollowPicks.delay
        await own.cloud.runDueJobs()

        let endpoints = CloudKitEndpoints(indexes: IndexKeeper()).all + own.cloud.backend.features.flatMap(\.endpoints)
        #expect(endpoints.count > 20)
        for time in [start - 1, start, end - 1, end] {
            own.now = time
            for endpoint in endpoints {
                let door = try #require(Self.doors[endpoint.name], "\(endpoint.name) is no door of this test")
                for caller in Self.callers {
                    // A type's response for a name that is taken may reveal that it exists (docs/content.md).
                    let found = try ask(door, "ghost", endpoint.name, own, as: caller)
                    let absent = try ask(door, "spook", endpoint.name, own, as: caller)
                    guard !(start..<end).contains(time) else { continue }
                    for (one, other) in zip(found, absent) {
                        let same = try Self.plain(one, "ghost") == Self.plain(other, "spook")
                        #expect(same, "\(endpoint.name) by \(caller) at \(time - start): \(one) and \(other)")
                    }
                    #expect(!absent.contains { $0.contains("ghost") }, "\(endpoint.name): \(absent)")
                }
            }
            let isShown = try own.lookUp("ghost", as: .app) == ""
            #expect(isShown == (start..<end).contains(time))
        }
    }
}
