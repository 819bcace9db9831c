import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Tells receivers of alarms that were raised, each until it takes it, or a day is over.
struct TellAlarms: Sendable {
    let http: any OutgoingHTTP
    let mail: any OutgoingMail
    let failed: @Sendable (String, Tenant, any Error) -> Void

    /// - Returns: What the row is from now on.
    func tell(
        _ row: TrendAlarmRow, _ alarm: TrendAlarm, _ message: AlarmMessage, now: Milliseconds
    ) async -> TrendAlarmRow {
        var new = row
        new.attempts += 1
        do {
            switch alarm.target {
            case .webhook(let webhook): try await call(webhook, message)
            case .mail(let address):
                try await mail.send(to: address, subject: message.subject, text: message.text)
            }
            new.phase = .told
        } catch {
            let wait = TrendAlarmRow.waits[min(Int(row.attempts), TrendAlarmRow.waits.count - 1)]
            new.nextAt = now + wait
            if now - row.raisedAt >= TrendAlarmRow.givenUpAfter { new.phase = .givenUp }
            failed("an alarm of trends could not be told", message.tenant, error)
        }
        return new
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

/// Notes what became of an alarm.
struct NoteAlarm {
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
