import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Administration {
    /// Creates a link to the preview of a message.
    ///
    /// - Returns: Its token, which cannot be shown again.
    /// - Throws: ``AdminError/refused(_:)`` if ``PreviewLinkRow/countMax`` links can still be opened.
    func createPreviewLink(to message: Name, in tenant: Tenant) async throws(AdminError) -> String {
        let token = Hexadecimal.text(inputs.randomBytes(PreviewLinkRow.tokenBytes))
        let now = inputs.now()
        let row = PreviewLinkRow(hash: APIToken.hash(token), message: message, createdAt: now)
        var set = ReadSet()
        set.ask(PreviewLinkRow.all)
        try await commit(to: try store(tenant), set) { reading in
            let stored = reading[PreviewLinkRow.all]
            let open = stored.count { $0.isOpen(at: now) }
            guard open < PreviewLinkRow.countMax else {
                throw AdminError.refused(
                    "\(tenant) already has \(open) unopened links to previews, the most it can have. They expire after 15 minutes: "
                        + "try again then.")
            }
            var writes = WriteSet()
            // Expired and used links are removed to make room.
            let finished = stored.filter { !$0.isOpen(at: now) }.sorted { $0.createdAt < $1.createdAt }
            let room = PreviewLinkRow.countMax - 1
            for (place, old) in finished.enumerated() where old.forgottenAt <= now || stored.count - place > room {
                writes.remove(old)
            }
            writes.put(row)
            writes.ask(for: ForgetPreviews.job, at: row.forgottenAt)
            return .write(writes, ())
        }
        return token
    }
}

/// Opens a link, unless it was opened before.
struct OpenPreviewLink: Sendable {
    let token: String
    let now: Milliseconds

    var reading: ReadSet {
        var set = ReadSet()
        set.ask(PreviewLinkRow.of(token))
        return set
    }

    /// Returns whether this call opened it.
    func decide(_ reading: Reading) throws -> Decision<Bool> {
        guard let row = reading[PreviewLinkRow.of(token)].first, row.isOpen(at: now) else {
            return .write(WriteSet(), false)
        }
        var opened = row
        opened.openedAt = now
        var writes = WriteSet()
        writes.put(opened, replacing: row)
        return .write(writes, true)
    }
}

/// Removes links a day after they were created.
struct ForgetPreviews: Sendable {
    static let job = "message-previews"
    private let now: Milliseconds

    private init(now: Milliseconds) { self.now = now }

    static func job(_ worker: Worker) -> Job {
        Job(job, dueAfterWriting: nil) { run, store in
            var set = ReadSet()
            set.ask(PreviewLinkRow.all)
            let next = try await worker.runner.commit(set, to: store, decide: ForgetPreviews(now: run.now).decide)
            return next.map { .again(at: $0) } ?? .finished
        }
    }

    /// Returns when the next is due.
    private func decide(_ reading: Reading) throws -> Decision<Milliseconds?> {
        var writes = WriteSet()
        let rows = reading[PreviewLinkRow.all]
        for row in rows where row.forgottenAt <= now { writes.remove(row) }
        return .write(writes, rows.map(\.forgottenAt).filter { $0 > now }.min())
    }
}
