import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// What to do about published messages for the same slot and audience whose time overlaps.
enum OverlapPolicy: Sendable {
    /// They stay, and the new message is refused.
    case refuse
    /// They end when it begins; one that would begin later becomes a draft again.
    case replace
    /// It begins when they have ended.
    case queue
}

/// Publishes a message, retrying if there are concurrent changes.
struct PublishMessage: Sendable {
    /// Attempts, as other messages may be published meanwhile.
    private static let attemptsMax = 8

    let operations: MessageOperations
    let id: String
    let start: Milliseconds
    /// nil if it does not end.
    let end: Milliseconds?
    /// Whether it ends then even if it begins later than ``start``.
    let keepsEnd: Bool
    let rivals: OverlapPolicy

    /// What was done.
    struct Outcome {
        var start: Milliseconds
        var end: Milliseconds?
        /// Messages that were ended, and messages that became drafts again.
        var ended: [String] = []
        var withdrawn: [String] = []
    }

    func carryOut() async throws -> Outcome {
        var inTheWay: String?
        for _ in 0..<Self.attemptsMax {
            let record = try operations.record(id)
            let message: Message
            do throws(MessageFailure) { message = try Message(record.name, fields: record.fields) } catch {
                throw Failure("\(id) is not a valid message: \(error)")
            }
            let others = try operations.published(like: message)
            var outcome = Outcome(start: start, end: end)
            var saves: [RecordSave] = []
            switch rivals {
            case .refuse: break
            case .replace: saves = replace(others, &outcome)
            case .queue: try queue(after: others, &outcome)
            }
            saves.append(
                save(
                    record, [(MessageField.publishedAt, .time(outcome.start)), (MessageField.until, .end(outcome.end))])
            )
            guard saves.count <= RecordSave.most else {
                throw Failure(
                    "\(saves.count - 1) messages are in the way, more than can be changed at once. Withdraw some.")
            }
            do {
                try await operations.administration.carryOutTogether(saves, in: operations.tenant)
                return outcome
            } catch let refusal as Refusal {
                switch refusal {
                case .conflict, .recordNotFound: continue
                case .constraintViolation(let reason) where rivals == .refuse:
                    throw Failure(
                        "\(reason) Pass --replace to end it when this one begins, or --queue to begin when it has ended."
                    )
                case .constraintViolation where others.isEmpty: throw refusal
                // Another message was published meanwhile, or there is a record that is not a valid message.
                case .constraintViolation(let reason): inTheWay = reason
                case .badRequest(let reason):
                    let remedy = operations.remedy(for: message.kind.rawValue).map { "\n\($0)" } ?? ""
                    throw Failure("\(id) cannot be published: \(reason). Nothing was changed.\(remedy)")
                default: throw refusal
                }
            }
        }
        if let inTheWay {
            throw Failure("\(inTheWay) Nothing was changed. Check that record, and try again.")
        }
        throw Failure("Others keep changing messages that are in the way of \(id); nothing was changed. Try again.")
    }

    private func save(_ record: RecordRow, _ edits: [(field: Name, edit: FieldEdit)]) -> RecordSave {
        RecordSave(name: record.name.text, type: operations.settings.type, old: record, kind: .edit(edits))
    }

    private func replace(_ others: [MessageOperations.Published], _ outcome: inout Outcome) -> [RecordSave] {
        others.filter { $0.overlaps(from: start, until: end) }.map { other in
            if other.start < start {
                outcome.ended.append(other.record.name.text)
                return save(other.record, [(MessageField.until, .time(start))])
            }
            outcome.withdrawn.append(other.record.name.text)
            return save(other.record, [(MessageField.publishedAt, .removed), (MessageField.until, .removed)])
        }
    }

    /// Moves the time window, keeping its length or its end, until it overlaps with no other.
    private func queue(after others: [MessageOperations.Published], _ outcome: inout Outcome) throws(Failure) {
        while let other = others.first(where: { $0.overlaps(from: outcome.start, until: outcome.end) }) {
            guard let next = other.end else {
                throw Failure(
                    "\(other.record.name.text) is in the way and has no end. Set one, withdraw it, or end it with --replace."
                )
            }
            if !keepsEnd { outcome.end = outcome.end.map { $0 + next - outcome.start } }
            outcome.start = next
            if let end = outcome.end, end <= next {
                throw Failure(
                    "\(other.record.name.text) is shown until \(ISO8601.text(next)), so \(id) would end before it begins. Choose a later --until."
                )
            }
        }
    }
}

extension FieldEdit {
    /// nil removes the end.
    fileprivate static func end(_ time: Milliseconds?) -> FieldEdit { time.map { .time($0) } ?? .removed }
}

extension MessageOperations {
    /// A published message, whether its time has come or not.
    struct Published {
        let record: RecordRow
        let start: Milliseconds
        let end: Milliseconds?

        func overlaps(from start: Milliseconds, until end: Milliseconds?) -> Bool {
            end.map { self.start < $0 } ?? true && self.end.map { start < $0 } ?? true
        }
    }

    /// The other messages published for the same slot and audience, ordered by start.
    fileprivate func published(like message: Message) throws -> [Published] {
        try all().compactMap { record, other in
            guard case .success(let other) = other, other.id != message.id, other.slot == message.slot,
                other.audience == message.audience, let start = other.publishedAt
            else { return nil }
            return Published(record: record, start: start, end: other.until)
        }.sorted { $0.start < $1.start }
    }
}

extension Input where Value == OverlapPolicy {
    fileprivate static var rivals: Input {
        Input(
            Input<Bool>.flag("replace", help: "End messages that are in the way when this one begins."),
            Input<Bool>.flag("queue", help: "Begin when the messages that are in the way have ended.")
        ) { replace, queue throws(WrongInput) in
            guard !replace || !queue else { throw WrongInput("Pass --replace or --queue, not both.") }
            return replace ? .replace : queue ? .queue : .refuse
        }
    }
}

extension UseCase {
    static let publishMessage = UseCase(
        "message publish", .destroys, abstract: "Show a message from now or from a given time on.",
        discussion: """
            Without --at it begins now, and without --until it does not end. The command fails if another message of the same slot and audience is \
            in the way: --replace ends that one when this one begins, and --queue begins this one when that one has ended, \
            for the same duration, or until --until if that is passed without --at.

            People who have already seen it do not see it again, unless --again forgets that they have, and what they did: if anybody has \
            seen it, the command asks first.

            Examples:

              nephos message publish iCloud.com.example.app anniversary --at 2027-03-07 \\
                --until 2027-03-08
              nephos message publish iCloud.com.example.app news --queue
            """,
        .tenant, Input<String>.message, .window, .rivals,
        Input<Bool>.flag("again", help: "Show it again to people who have seen it, and restart its counts."), .also,
        .yes
    ) { call, tenant, id, window, rivals, again, others, isSure in
        let count = try again && !isSure ? seenCount(of: id, call, tenant.all(with: others)) : 0
        let who = count == 1 ? "1 person or device has" : "\(count) people and devices have"
        try call.confirm("This forgets that \(who) seen \(id), and what they did.", unless: count == 0)
        return try await tenant.each(with: others) { tenant in
            try await publish(call, tenant, id, window, rivals, isAgain: again)
        }
    }

    /// How many people and devices have seen a message, in all environments together.
    private static func seenCount(
        of id: String, _ call: any UseCaseCall, _ tenants: [Tenant]
    ) throws -> Int {
        let administration = try call.administration
        return tenants.reduce(0) { sum, tenant in
            // What is wrong with a container is reported when it is its turn.
            do throws(AdminError) {
                return sum + (try administration.seen(Name(id), in: try administration.store(tenant)))
            } catch {
                return sum
            }
        }
    }

    private static func publish(
        _ call: any UseCaseCall, _ tenant: Tenant, _ id: String, _ window: TypedWindow, _ rivals: OverlapPolicy,
        isAgain: Bool
    ) async throws -> UseCaseAnswer {
        let now = call.now()
        let operations = try MessageOperations(call, tenant)
        let start = try window.start(now: now)
        _ = try operations.record(id)
        let outcome = try await PublishMessage(
            operations: operations, id: id, start: start, end: window.end, keepsEnd: window.hasOnlyEnd, rivals: rivals
        )
        .carryOut()
        if isAgain { try await operations.forgetSeen(of: Name(id), now: now) }
        var answer = UseCaseAnswer.note(
            TypedWindow.sentence(
                of: id, in: tenant.environment, from: outcome.start, until: outcome.end, now: now))
        for other in outcome.ended {
            answer = answer.noting("\(other) ends when \(id) begins.")
        }
        for other in outcome.withdrawn { answer = answer.noting("\(other) is a draft again.") }
        return answer
    }
}

extension Administration {
    /// How many people and devices have seen a message.
    func seen(_ message: Name, in store: any TenantStore) throws(AdminError) -> Int {
        var (count, last): (Int, [UInt8]?) = (0, [])
        while let seer = last {
            let page = try rows(SeenRow.page(of: message, after: seer, limit: 1_000), of: store)
            count += page.count(where: { !$0.isTakenOver })
            last = page.last?.seer
        }
        return count
    }
}

extension MessageOperations {
    /// Forgets who has seen a message, and what they did.
    fileprivate func forgetSeen(of message: Name, now: Milliseconds) async throws {
        let step = ForgetSeen(message: message, isAsked: true, now: now)
        while case .more = try await administration.commit(to: store, step.reading, { try step.decide($0) }) {}
    }
}
