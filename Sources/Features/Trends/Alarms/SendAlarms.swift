import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Notifies receivers of raised alarms, retrying each until it accepts the alarm or a day has passed. This is a job of its own,
/// so a slow receiver delays nothing else.
struct SendAlarms: Sendable {
    static let job = "trend-alarms"

    private let worker: Worker
    private let http: any OutgoingHTTP
    private let mail: MailState
    private let failed: @Sendable (String, Tenant, any Error) -> Void

    private init(_ host: FeatureHost) {
        (worker, http, mail, failed) = (host.worker, host.http, host.mail, host.failed)
    }

    static func job(_ host: FeatureHost) -> Job {
        let sending = SendAlarms(host)
        return Job(job, dueAfterWriting: nil) { run, store in try await sending.all(run, store) }
    }

    private func all(_ run: JobRun, _ store: any TenantStore) async throws -> Job.End {
        let catalog = try await worker.read(ReadSet(), from: store).catalog
        let settings: TrendSettings
        do throws(SectionFailure) { settings = try catalog.trends() } catch { return .finished }
        var next: Milliseconds?
        for row in try await worker.rows(TrendAlarmRow.all, from: store) where row.phase == .waiting {
            var new = row
            let alarm = settings.alarms.first { $0.receiver == row.receiver }
            if alarm == nil || run.now - row.raisedAt >= TrendAlarmRow.givenUpAfter {
                // The alarm is no longer configured, or is too old to be news.
                new.phase = .givenUp
            } else if let alarm, row.nextAt <= run.now {
                let message = AlarmMessage(row: row, type: alarm.type, tenant: store.tenant, zone: settings.zone)
                new.attempts += 1
                if await send(alarm, message) {
                    new.phase = .notified
                } else {
                    new.nextAt = run.now + TrendAlarmRow.waits[min(Int(row.attempts), TrendAlarmRow.waits.count - 1)]
                }
            }
            if new != row {
                let note = FinishAlarm(old: row, new: new)
                try await worker.runner.commit(note.reading, to: store, decide: note.decide)
                try await run.keep()
            }
            if new.phase == .waiting { next = min(next ?? .max, new.nextAt) }
        }
        return next.map { .again(at: $0) } ?? .finished
    }

    /// - Returns: Whether the receiver accepted it.
    private func send(_ alarm: TrendAlarm, _ message: AlarmMessage) async -> Bool {
        do {
            switch alarm.target {
            case .webhook(let webhook): try await call(webhook, message)
            case .mail(let address):
                try await post(message, to: address)
            }
            return true
        } catch {
            failed("an alarm of trends could not be sent", message.tenant, error)
            return false
        }
    }

    /// Puts a mail into the outbox, which retries it until the alarm is given up.
    private func post(_ message: AlarmMessage, to address: MailAddress) async throws {
        guard mail.isSetUp else { throw MailFailure.notSetUp }
        let row = message.row
        let mail = try NewMail(
            to: address, subject: message.subject, text: message.text, for: "alarm", id: message.id,
            at: worker.now, goodFor: row.raisedAt + TrendAlarmRow.givenUpAfter - worker.now)
        try await worker.run { [runner = worker.runner] in
            var set = ReadSet()
            mail.ask(&set)
            try runner.commitDirectory(set) { reading in
                var writes = WriteSet()
                guard mail.put(into: &writes, reading) else { throw MailFailure("too many mails wait", .passing) }
                return .write(writes, ())
            }
        }
    }

    private func call(_ webhook: WebhookAddress, _ message: AlarmMessage) async throws {
        let request = OutgoingRequest(
            webhook.url, method: .post, headers: [("Content-Type", "application/json")], body: message.json)
        let answer = try await http.send(request)
        guard 200..<300 ~= answer.status else {
            throw OutgoingFailure(.passing, "the webhook of an alarm answered \(answer.status)")
        }
    }
}

/// Records the outcome of an attempt to send an alarm.
struct FinishAlarm {
    let old, new: TrendAlarmRow

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Trends.database]
        set.ask(TrendAlarmRow.all)
        return set
    }

    func decide(_ reading: Reading) -> Decision<Void> {
        var set = WriteSet()
        if reading[TrendAlarmRow.all].contains(old) { set.put(new, replacing: old) }
        return .write(set, ())
    }
}
