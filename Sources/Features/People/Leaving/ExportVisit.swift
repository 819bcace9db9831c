import NephosRunner
import NephosStorage
import Synchronization

/// Limits concurrent exports of personal data on a server, with at most one per account: each reads databases from end to end.
final class ExportPlaces: Sendable {
    static let most = 4

    /// IDs of accounts.
    private let taken = Mutex<Set<String>>([])

    /// nil if too many exports are running, or one of this account.
    func take(for account: String) -> ExportPlace? {
        let isTaken = taken.withLock { taken in
            guard taken.count < Self.most else { return false }
            return taken.insert(account).inserted
        }
        return isTaken ? ExportPlace(account: account, places: self) : nil
    }

    fileprivate func leave(_ account: String) { taken.withLock { _ = $0.remove(account) } }
}

/// A slot of ``ExportPlaces``, held as long as this object exists. A download that never begins because its reader has gone
/// releases it, too.
final class ExportPlace: Sendable {
    private let account: String
    private let places: ExportPlaces

    fileprivate init(account: String, places: ExportPlaces) { (self.account, self.places) = (account, places) }

    deinit { places.leave(account) }
}

extension SiteVisit {
    /// The reader disconnected, or accepted no data for too long.
    private struct ReaderDisconnected: Error {}

    /// Seconds after which a retry is useful.
    static let exportRetry = 30

    /// A person's stored data as a ZIP file, sent while it is written; nil if too many exports are running, or one of this
    /// person.
    func export(of account: AccountRow) -> Work? {
        guard let place = services.exports.take(for: account.id) else { return nil }
        let head = StreamHead(
            contentType: "application/zip",
            headers: [
                ("Content-Disposition", "attachment; filename=\"account.zip\""), ("X-Content-Type-Options", "nosniff"),
            ], heartbeat: [], endpoint: "sign-in")
        return .stream(head) { [services] writer in
            Task {
                defer { withExtendedLifetime(place) {} }
                let zip = ZipSink { bytes in
                    let isTaken = await withCheckedContinuation { sent in
                        _ = writer.write(bytes) { sent.resume(returning: $0) }
                    }
                    guard isTaken else { throw ReaderDisconnected() }
                }
                // A truncated download is not a valid ZIP file, so its reader notices; storage failures are reported to the
                // operator.
                await services.host.apart.attempt(failed: { _ in }) {
                    try await PersonExport(services.host.apart, files: services.host.files, to: zip).run(account)
                    try await zip.finish()
                }
                writer.close()
            }
        }
    }
}
