import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Synchronization
import Testing

@testable import NephosTrends

/// docs/trends.md, "Alarms".
@Suite struct AlarmTests {
    @Test("A day is unusual compared with the same weekdays before")
    func rule() throws {
        #expect(AlarmRule([1, 2, 3]) == nil)
        let quiet = try #require(AlarmRule([0, 0, 0, 0, 0, 0, 0, 0]))
        #expect(quiet.alarm(20, isOver: true) == nil && quiet.alarm(21, isOver: false) == .jump)
        let steady = try #require(AlarmRule([100, 104, 96, 100, 102, 98, 100, 100]))
        #expect(steady.median == 100 && steady.deviation == 1 && steady.limit == 50)
        #expect(steady.alarm(150, isOver: true) == nil && steady.alarm(151, isOver: false) == .jump)
        #expect(steady.alarm(49, isOver: false) == nil && steady.alarm(49, isOver: true) == .fall)
        let wild = try #require(AlarmRule([10, 200, 30, 150, 80, 90]))
        #expect(wild.median == 85 && wild.deviation == 60 && wild.limit == 360)
    }

    @Test(
        "A thousand false downloads in a day raise an alarm immediately, once, by webhook and mail, and a drop after the day"
    )
    func told() async throws {
        let (http, mail) = (ReceivedCalls(), ReceivedMails())
        let own = try await TrendCloud(http: http, mail: mail)
        try await own.set(
            #"""
            {"zone":"Europe/Rome","alarms":[{"type":"Post","webhook":"https://ops.example.com/hook?s=1","mail":"ops@example.com"}]}
            """#)
        var number = 0
        func save(_ count: Int) async throws {
            for start in stride(from: 0, to: count, by: 200) {
                let saves = (start..<min(start + 200, count)).map { _ in
                    number += 1
                    return TrendCloud.save("Post", "p\(number)")
                }
                #expect(try own.modify(saves).allSatisfy { $0.isEmpty })
            }
        }
        for _ in 0..<57 {
            try await save(30)
            await own.fold()
            own.now += 86_400_000
        }
        #expect(http.calls.isEmpty)
        try await save(30)
        await own.fold()
        #expect(http.calls.isEmpty)
        try await save(1_000)
        for _ in 0..<3 { await own.fold() }
        #expect(http.calls.count == 1 && mail.mails.count == 1)
        let call = try #require(http.calls.first)
        #expect(call.url == "https://ops.example.com/hook?s=1")
        let json = try JSON(reading: call.body)
        #expect(json["alarm"].string == "jump" && json["x"].int64 == 1_030 && json["type"].string == "Post")
        #expect(json["container"].string == SmallCloud.container && json["day"].string == "2026-02-27")
        let told = try #require(mail.mails.first)
        #expect(told.address == "ops@example.com" && told.subject.contains("many more Post than usual"))
        #expect(told.text.contains("1030 records") && told.text.contains("m = 30, d = 0, so by more than 20"))
        // No more records are created.
        own.now += 86_400_000
        await own.fold()
        #expect(http.calls.count == 1)
        own.now += 86_400_000
        await own.fold()
        #expect(http.calls.count == 2)
        #expect(try JSON(reading: http.calls[1].body)["alarm"].string == "fall")
        #expect(try own.cloud.check() == [])
    }

    @Test("A thousand false downloads from one country raise an alarm, and figures split by country show which (S4-31)")
    func country() async throws {
        let http = ReceivedCalls()
        let own = try await TrendCloud(http: http)
        try await own.set(
            #"""
            {"splits":[{"type":"Post","field":"country"}],
            "alarms":[{"type":"Post","webhook":"https://ops.example.com/hook"}]}
            """#)
        var number = 0
        func save(_ count: Int, from country: String) throws {
            for start in stride(from: 0, to: count, by: 200) {
                let saves = (start..<min(start + 200, count)).map { _ in
                    number += 1
                    return TrendCloud.save("Post", "p\(number)", fields: #""country":{"value":"\#(country)"}"#)
                }
                #expect(try own.modify(saves).allSatisfy { $0.isEmpty })
            }
        }
        /// Records created today, by country.
        func created() throws -> [String: Int64] {
            let answer = try JSON(reading: own.series("type=Post&split=country&last=1&form=columns").body)
            var created: [String: Int64] = [:]
            for series in answer["series"].elements {
                if let count = series["created"].elements.last?.int64, count > 0 {
                    created[series["split"].string ?? ""] = count
                }
            }
            return created
        }
        for _ in 0..<5 {
            for (country, count) in [("IT", 3), ("MX", 2), ("DE", 1)] { try save(count, from: country) }
            await own.fold()
            #expect(try created() == ["IT": 3, "MX": 2, "DE": 1] && http.calls.isEmpty)
            own.now += 7 * 86_400_000
        }
        try save(2, from: "IT")
        try save(1_000, from: "AQ")
        await own.fold()
        let call = try #require(http.calls.first)
        #expect(try http.calls.count == 1 && JSON(reading: call.body)["x"].int64 == 1_002)
        #expect(try created() == ["IT": 2, "AQ": 1_000])
        #expect(try own.cloud.check() == [])
    }

    @Test("A failing receiver is retried for a day, without repeating the alarm to others")
    func again() async throws {
        let (http, mail) = (ReceivedCalls(), ReceivedMails())
        http.status = 503
        let own = try await TrendCloud(http: http, mail: mail)
        try await own.set(
            #"{"alarms":[{"type":"Post","webhook":"https://ops.example.com/","mail":"ops@example.com"}]}"#)
        for week in 0..<5 {
            #expect(try own.modify([TrendCloud.save("Post", "w\(week)")]) == [""])
            await own.fold()
            own.now += 7 * 86_400_000
        }
        #expect(
            try own.modify((0..<50).map { TrendCloud.save("Post", "s\($0)") }) == Array(repeating: "", count: 50))
        await own.fold()
        #expect(http.calls.count == 1 && mail.mails.count == 1)
        for wait in [60_000, 300_000, 1_800_000] as [Milliseconds] {
            own.now += wait
            await own.cloud.runDueJobs()
        }
        #expect(http.calls.count == 4 && mail.mails.count == 1)
        http.status = 200
        own.now += 7_200_000
        for _ in 0..<3 { await own.fold() }
        #expect(http.calls.count == 5 && mail.mails.count == 1)
    }

    @Test("No alarm is sent a day late, or after it was removed from the settings")
    func givenUp() async throws {
        let (http, mail) = (ReceivedCalls(), ReceivedMails())
        http.status = 503
        let own = try await TrendCloud(http: http, mail: mail)
        let hook = #"{"type":"Post","webhook":"https://ops.example.com/"}"#
        try await own.set(#"{"alarms":[\#(hook)]}"#)
        for week in 0..<5 {
            #expect(try own.modify([TrendCloud.save("Post", "w\(week)")]) == [""])
            await own.fold()
            own.now += 7 * 86_400_000
        }
        func alarms() throws -> [TrendAlarmRow.Phase] {
            try own.store.rows(TrendAlarmRow.all).map(\.phase)
        }
        let posts = (0..<50).map { TrendCloud.save("Post", "s\($0)") }
        #expect(try own.modify(posts).allSatisfy { $0.isEmpty })
        await own.fold()
        #expect(try alarms() == [.waiting] && http.calls.count == 1)
        // The server was down for a day.
        own.now += 86_400_000
        http.status = 200
        await own.cloud.runDueJobs()
        #expect(try alarms().first == .givenUp)
        #expect(http.calls.count(where: { (try? JSON(reading: $0.body)["alarm"].string) == "jump" }) == 1)
        http.status = 503
        own.now += 6 * 86_400_000
        #expect(try own.modify(posts.map { $0.replacing("\"s", with: "\"t") }).allSatisfy { $0.isEmpty })
        await own.fold()
        #expect(try alarms().contains(.waiting))
        let calls = http.calls.count
        try await own.set(#"{"alarms":[]}"#)
        own.now += 300_000
        await own.cloud.runDueJobs()
        #expect(try !alarms().contains(.waiting) && http.calls.count == calls)
    }

    @Test(
        "Invalid alarms are rejected",
        arguments: [
            #"{"alarms":[{"type":"Post"}]}"#, #"{"alarms":[{"webhook":"https://example.com"}]}"#,
            #"{"alarms":[{"type":"Post","webhook":"http://example.com"}]}"#,
            #"{"alarms":[{"type":"Post","mail":"ops"}]}"#, #"{"alarms":[{"type":"Post","mail":"-f@example.com"}]}"#,
            #"{"alarms":[{"type":"Post","mail":"a@example.com,b@example.com"}]}"#,
            #"{"alarms":[{"type":"Post","mail":"a@example.com\nBcc: b@example.com"}]}"#,
            #"{"alarms":[{"type":"Post","mail":"a@example.com"},{"type":"Post","mail":"a@example.com"}]}"#,
        ])
    func wrong(document: String) async throws {
        let own = try await TrendCloud()
        await #expect(throws: (any Error).self) { try await own.set(document) }
    }
}

/// Records what a server would send.
private final class ReceivedCalls: OutgoingHTTP {
    private let state = Mutex<(calls: [OutgoingRequest], status: Int)>(([], 200))

    var calls: [OutgoingRequest] { state.withLock { $0.calls } }
    var status: Int {
        get { state.withLock { $0.status } }
        set { state.withLock { $0.status = newValue } }
    }

    func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> OutgoingAnswer {
        let status = state.withLock { state in
            state.calls.append(request)
            return state.status
        }
        return OutgoingAnswer(status: status, headers: [], body: [])
    }
}

private final class ReceivedMails: OutgoingMail {
    private let received = Mutex<[(address: String, subject: String, text: String)]>([])
    let setup: MailSetup? = MailSetup(.folder, from: nil)

    var mails: [(address: String, subject: String, text: String)] { received.withLock { $0 } }

    func send(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String {
        received.withLock { $0.append((mail.address.text, mail.subject, mail.text)) }
        return ""
    }
}
