import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import Synchronization
import TestEngines
import Testing

/// docs/mail.md, "Waiting mails", with a clock that stands still until a test advances it.
@Suite("The outbox") final class OutboxTests: Sendable {
    private let store: TestStore
    private let engine: any StorageEngine
    private let clock = SetClock(1_000_000)
    private let out = ReceivedMails()
    private let reports = Reports()
    private let address: MailAddress

    init() throws {
        store = try TestStore.withTables()
        engine = try store.open()
        address = try MailAddress("mary@example.com")
    }

    deinit { engine.close() }

    // MARK: Bench

    /// A server, with its own engine if none is passed.
    private func server(_ mail: (any OutgoingMail)? = nil, on engine: (any StorageEngine)? = nil) -> Server {
        let mail = mail ?? out
        let worker = Worker(Runner(engine: engine ?? self.engine), clock: { [clock] in clock.now })
        let state = MailState(mail)
        let sending = SendMails(worker, by: mail, state) { [reports] in reports.add($0) }
        return Server(worker: worker, state: state, jobs: Jobs([sending.job], worker: worker))
    }

    private struct Server {
        let worker: Worker
        let state: MailState
        let jobs: Jobs

        func post(_ mail: NewMail) throws -> Bool {
            var set = ReadSet()
            mail.ask(&set)
            return try worker.runner.commitDirectory(set) { reading in
                var writes = WriteSet()
                let isThere = mail.put(into: &writes, reading)
                return .write(writes, isThere)
            }
        }
    }

    private func mail(
        _ number: UInt8 = 1, _ text: String = "https://example.com/?t=secret", goodFor: Milliseconds = NewMail.day
    ) throws -> NewMail {
        try NewMail(
            to: address, subject: "Hello", text: text, for: "test", id: Array(repeating: number, count: 16),
            at: clock.now, goodFor: goodFor)
    }

    private var rows: [MailRow] {
        get throws { try engine.directory.rows(MailRow.due(by: .max, limit: 1_000)) }
    }

    private var outcomes: [SendMails.Outcome] { reports.all.map(\.outcome) }

    // MARK: Sending

    @Test("A committed mail is sent immediately, once, and its row is removed; after a failed commit nothing is sent")
    func sent() async throws {
        let server = server()
        #expect(try server.post(mail()))
        #expect(throws: StorageError.self) {
            try server.worker.runner.commitDirectory(ReadSet()) { _ -> Decision<Void> in throw StorageError.full }
        }
        await server.jobs.runDue()
        await server.jobs.runDue()
        #expect(out.mails.map(\.text) == ["https://example.com/?t=secret"])
        #expect(out.mails.first?.subject == "Hello" && out.mails.first?.sender?.name == "Nephos")
        #expect(try rows.isEmpty && outcomes == [.sent])
        #expect(try engine.checkDirectory() == [])
    }

    @Test("A mail that is added twice is stored once")
    func twice() async throws {
        let server = server()
        for _ in 0..<2 { #expect(try server.post(mail())) }
        #expect(try rows.count == 1)
    }

    @Test(
        "A temporary failure is retried with growing waits, for a day, with the same Message-ID; then the mail is dropped"
    )
    func again() async throws {
        let server = server()
        out.failure = MailFailure("later", .passing)
        #expect(try server.post(mail()))
        var waits: [Milliseconds] = []
        while waits.count < 100 {
            await server.jobs.runDue()
            guard let next = try rows.first?.nextAt else { break }
            waits.append(next - clock.now)
            clock.now = next
        }
        #expect(waits.prefix(6) == [60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000])
        #expect(waits.reduce(0, +) == NewMail.day)
        #expect(Set(out.mails.map(\.id)).count == 1 && out.mails.count == waits.count)
        #expect(outcomes.last == .givenUp && outcomes.dropLast().allSatisfy { $0 == .failed })
    }

    @Test("A permanently rejected mail is dropped immediately, and an expired one is not sent")
    func final() async throws {
        let server = server()
        out.failure = MailFailure("no such person", .final)
        #expect(try server.post(mail(1)))
        await server.jobs.runDue()
        #expect(try rows.isEmpty && outcomes == [.givenUp])
        out.failure = MailFailure("later", .passing)
        #expect(try server.post(mail(2, goodFor: 1_800_000)))
        await server.jobs.runDue()
        out.failure = nil
        clock.now += 1_800_000
        await server.jobs.runDue()
        #expect(try rows.isEmpty && outcomes == [.givenUp, .failed, .givenUp])
        #expect(out.mails.count == 2)
    }

    @Test("While the server is unreachable other mails are not tried; they are sent when it is reachable")
    func closed() async throws {
        let server = server()
        out.failure = MailFailure("nobody listens")
        for number in 1...20 as ClosedRange<UInt8> {
            let mail = try NewMail(
                to: MailAddress("p\(number)@example.com"), subject: "s", text: "t", for: "test",
                id: Array(repeating: number, count: 16), at: clock.now)
            #expect(try server.post(mail))
        }
        await server.jobs.runDue()
        #expect(out.mails.count == 4)
        out.failure = nil
        clock.now += 60_000
        await server.jobs.runDue()
        #expect(try rows.isEmpty && Set(out.mails.map(\.id)).count == 20)
    }

    // MARK: Processes

    @Test("After a process died while sending, the mail is sent again by another, after ten minutes at the earliest")
    func died() async throws {
        let server = server()
        #expect(try server.post(mail()))
        // The writes of a dead process: it postponed the row, and may have sent the mail.
        let row = try #require(try rows.first)
        var claimed = row
        (claimed.attempts, claimed.nextAt) = (1, clock.now + 600_000)
        try engine.directory.commit(ReadSet()) { [claimed] _ in
            var writes = WriteSet()
            writes.put(claimed, replacing: row)
            return .write(writes, ())
        }
        await server.jobs.runDue()
        clock.now += 599_999
        await server.jobs.runDue()
        #expect(out.mails.isEmpty)
        clock.now += 1
        await server.jobs.runDue()
        #expect(out.mails.count == 1 && out.mails.first?.id == row.id)
        #expect(try rows.isEmpty)
    }

    @Test("Two servers whose leases do not hold send each mail once")
    func two() async throws {
        let others = try store.open()
        defer { others.close() }
        let (first, second) = (server(), server(on: others))
        for number in 1...40 as ClosedRange<UInt8> {
            let mail = try NewMail(
                to: MailAddress("p\(number)@example.com"), subject: "s", text: "t", for: "test",
                id: Array(repeating: number, count: 16), at: clock.now)
            #expect(try first.post(mail))
        }
        // Both work on it: as if the lease of one had expired while it was suspended.
        await withTaskGroup(of: Void.self) { group in
            for server in [first, second] {
                group.addTask {
                    for _ in 0..<20 {
                        try? server.worker.engine.jobs.note([JobKey(Job.mails): 0])
                        await server.jobs.runDue()
                    }
                }
            }
        }
        await first.jobs.runDue()
        #expect(out.mails.count == 40 && Set(out.mails.map(\.id)).count == 40)
        #expect(try rows.isEmpty)
    }

    // MARK: Limits and secrets

    @Test("At most five mails wait for one address; more are rejected, and other addresses are unaffected")
    func limits() async throws {
        let server = server()
        for number in 1...5 as ClosedRange<UInt8> { #expect(try server.post(mail(number))) }
        #expect(try !server.post(mail(6)))
        let other = try NewMail(
            to: MailAddress("other@example.com"), subject: "s", text: "t", for: "test",
            id: Array(repeating: 7, count: 16), at: clock.now)
        #expect(try server.post(other))
        await server.jobs.runDue()
        #expect(out.mails.count == 6)
        #expect(try server.post(mail(6)))
    }

    @Test("The contents of a mail are stored sealed")
    func sealed() throws {
        #expect(try server().post(mail()))
        let row = try #require(try rows.first)
        #expect(row.text == "https://example.com/?t=secret" && row.content.isSealed)
        let stored = row.content.stored
        #expect(stored.firstRange(of: Array("secret".utf8)) == nil)
    }

    // MARK: Ways

    @Test("Without a configured method nothing is tried or lost; once there is one, running servers send what waits")
    func configured() async throws {
        let out = ReceivedMails(setup: nil)
        let server = server(out)
        #expect(try server.post(mail()))
        await server.jobs.runDue()
        #expect(try !server.state.isSetUp && out.mails.isEmpty && rows.first?.attempts == 0)
        let admin = Administration(
            engine: engine,
            inputs: Inputs(now: { [clock] in clock.now }, randomBytes: { Array(repeating: 0, count: $0) }))
        let setup = MailSetup(
            .server(MailServer(host: "mail.example.org", port: 587, encryption: .startTLS, login: MailServer.login)),
            from: try MailSender("Nephos <nephos@example.org>"))
        try admin.configureMail(setup)
        await server.jobs.runDue()
        #expect(server.state.isSetUp && out.mails.count == 1 && out.ways == [setup.way])
        #expect(try admin.mailSetup() == setup)
        #expect(try engine.directory.rows(MailSetupRow.only).first?.password.isSealed == true)
        #expect(try admin.removeMail() && admin.mailSetup() == nil && !admin.removeMail())
        try server.state.refresh(from: engine)
        #expect(!server.state.isSetUp)
        #expect(try engine.checkDirectory() == [])
    }

    @Test("Options of the server override the configuration of the installation")
    func overridden() throws {
        let admin = Administration(
            engine: engine, inputs: Inputs(now: { 0 }, randomBytes: { Array(repeating: 0, count: $0) }))
        let sender = try MailSender("nephos@example.org")
        try admin.configureMail(MailSetup(.program("/bin/other"), from: sender))
        let fixed = MailState(ReceivedMails(setup: MailSetup(.program("/bin/mail"), from: nil)))
        let fallback = MailState(ReceivedMails(setup: nil, fallback: MailSetup(.folder, from: sender)))
        #expect(fallback.setup?.way == .folder)
        for state in [fixed, fallback] { try state.refresh(from: engine) }
        #expect(fixed.setup?.way == .program("/bin/mail") && fallback.setup?.way == .program("/bin/other"))
    }
}

/// A clock set by a test.
private final class SetClock: Sendable {
    private let time: Mutex<Milliseconds>

    init(_ now: Milliseconds) { time = Mutex(now) }

    var now: Milliseconds {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

private final class Reports: Sendable {
    private let reports = Mutex<[SendMails.Report]>([])

    var all: [SendMails.Report] { reports.withLock { $0 } }
    func add(_ report: SendMails.Report) { reports.withLock { $0.append(report) } }
}

/// Accepts mails, or fails as specified by a test.
private final class ReceivedMails: OutgoingMail {
    let setup, fallback: MailSetup?
    private let state = Mutex<(mails: [MailMessage], ways: [MailWay], failure: MailFailure?)>(([], [], nil))

    init(
        setup: MailSetup? = try? MailSetup(.folder, from: MailSender("Nephos <nephos@example.org>")),
        fallback: MailSetup? = nil
    ) {
        (self.setup, self.fallback) = (setup, fallback)
    }

    var mails: [MailMessage] { state.withLock { $0.mails } }
    var ways: [MailWay] { state.withLock { $0.ways } }
    var failure: MailFailure? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    func send(_ mail: MailMessage, by way: MailWay) async throws(MailFailure) -> String {
        let failure = state.withLock { state in
            state.mails.append(mail)
            state.ways.append(way)
            return state.failure
        }
        if let failure { throw failure }
        return "taken"
    }
}
