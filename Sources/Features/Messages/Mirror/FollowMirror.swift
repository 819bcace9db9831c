import CloudKitWire
import NephosAssets
import NephosDomain
import NephosRunner
import NephosStorage

/// Keeps the records of the template in line with the schedule: the message that is shown to everybody in the first slot is
/// current there, and no other mirrored message. Each step is small, and repeating it after a crash is safe.
struct FollowMirror: Sendable {
    static let job = "messages-mirror"

    let worker: Worker
    let memory: MessageCache
    let files: any AssetStore
    let randomSource: RandomSource

    enum Step: Sendable {
        /// Something was written; call again.
        case more
        /// Nothing to do until this time; nil until something is changed.
        case done(Milliseconds?)
        /// The server cannot write the mirror; the time is when the planned content changes next.
        case refused(Refusal, Milliseconds?)
    }

    func step(_ store: any TenantStore, now: Milliseconds) async throws -> Step {
        let randomSource = randomSource
        let newName = Name(
            UUIDBits((0..<2).flatMap { _ in withUnsafeBytes(of: randomSource.next()) { Array($0) } }, version: 4).text)
        let (plan, next) = try await worker.run { [memory] in
            (
                try MirrorPlan(store, memory, newName: newName, now: now),
                try Self.next(store, memory, now)
            )
        }
        if let noting = plan.noting {
            try await worker.runner.commit(noting.reading, to: store, decide: noting.decide)
            return .more
        }
        let context = RequestContext(
            catalog: plan.catalog, caller: .administrator, scope: .public, now: now,
            operatorName: "the mirror of messages")
        // Ended messages are withdrawn in a save of their own, so that a failure with the next message does not affect it.
        var saves = plan.stale.map { type, record in
            RecordSave(
                name: record.name.text, type: type, old: record, kind: .edit([(Template.isCurrent, .number(0))]))
        }
        if saves.isEmpty, let (type, name, old, message, mirror) = plan.writing {
            let edits = mirror.edits(picture: try await picture(of: message, context, store))
            saves = [RecordSave(name: name.text, type: type, old: old, kind: .edit(edits))]
        }
        guard !saves.isEmpty else { return .done(next) }
        let modify = try ModifyRecords(RecordSave.request(saves), context: context) { "" }
        do {
            try await worker.runner.commit(modify.reading, to: store) { reading -> Decision<Void> in
                guard reading.catalog.isSame(as: context.catalog) else { return .write(WriteSet(), ()) }
                switch try modify.decide(reading).refused() {
                case .need(let more, _): return .need(more)
                case .write(let set, _): return .write(set, ())
                }
            }
            return .more
        } catch let refusal as Refusal {
            switch refusal {
            // It was changed meanwhile.
            case .conflict, .recordNotFound: return .more
            default: return .refused(refusal, next)
            }
        }
    }

    /// The next time at which the current message changes without an edit.
    private static func next(
        _ store: any TenantStore, _ memory: MessageCache, _ now: Milliseconds
    ) throws -> Milliseconds? {
        guard let settings = try store.read(ReadSet()).catalog.messages(), settings.mirror != nil else { return nil }
        return try memory.current(store, now: now).changesAt(after: now, in: settings.slots[0])
    }

    /// The message's picture, otherwise an empty one: apps require a picture.
    private func picture(
        of message: RecordRow, _ context: RequestContext, _ store: any TenantStore
    ) async throws -> AssetReceiptDictionary? {
        if let address = message.picture {
            guard let row = try await worker.rows(AssetRow.at([address], in: Messages.database), from: store).first
            else { return nil }
            return context.receipt(for: row, .server)
        }
        let random = randomSource.next()
        let keeping = try await worker.run { [files] in
            try FileKeeping(
                MirrorPlan.noPicture, contentType: "image/png", random: random, context: context, files: files)
        }
        let answer = try await worker.runner.commit(keeping.reading, to: store, decide: keeping.decide)
        return try await worker.run { try keeping.receipt(answer) }
    }
}

extension RecordRow {
    /// The address of the message's picture file; nil if there is none.
    var picture: [UInt8]? { picture(in: MessageField.image) }

    func picture(in field: Name) -> [UInt8]? {
        CanonicalFields.assets(in: fields).first { $0.place.field == field }?.asset.address
    }
}

extension Job {
    /// The delay after a save that is refused, or undone by a rule, which retrying sooner would not fix.
    private static let againAfter: Milliseconds = 3_600_000
    /// Steps per run: some for messages that end, and three for the one that begins.
    private static let stepsMax = 1_000

    static func followMirror(
        _ following: FollowMirror, failed: @escaping @Sendable (String, Tenant, any Error) -> Void
    ) -> Job {
        Job(FollowMirror.job, dueAfterWriting: nil) { run, store in
            for _ in 0..<stepsMax {
                switch try await following.step(store, now: run.now) {
                case .more: try await run.keep()
                case .done(let next): return next.map { .again(at: $0) } ?? .finished
                case .refused(let refusal, let next):
                    failed("the mirror of messages cannot be written", store.tenant, MirrorRefused(refusal))
                    let later = run.now + againAfter
                    return .again(at: next.map { min($0, later) } ?? later)
                }
            }
            failed(
                "the mirror of messages is not kept", store.tenant, MirrorRefused("something reverts what is written"))
            return .again(at: run.now + againAfter)
        }
    }
}

/// Why the mirror was not written. Contains no stored data.
private struct MirrorRefused: Error, CustomStringConvertible {
    let description: String

    init(_ reason: String) { description = reason }

    init(_ refusal: Refusal) { self.init("\(refusal.serverErrorCode.rawValue): \(refusal.reason)") }
}

/// Triggers a check of the mirror when a record of the template is changed.
struct MirrorRule: RecordRule {
    var needsPossibleChanges: Bool { false }

    func concerns(_ type: Name, in catalog: Catalog) -> Bool { (try? catalog.messages())??.mirror == type }

    func follow(_ changes: RecordChanges, _ reading: FoundRows, _ rows: inout RuleWrites) {
        guard changes.head.kind == .publicLane, !changes.all.isEmpty else { return }
        rows.ask(for: FollowMirror.job, at: changes.now)
    }
}
