import NephosRunner
import NephosStorage
import Synchronization

/// How many downloads of what is stored of people a server writes at a time, of each account one: each reads databases from end to end.
final class ExportPlaces: Sendable {
    static let most = 4

    /// Ids of accounts.
    private let taken = Mutex<Set<String>>([])

    /// nil where too many are written, or one of this account.
    func take(for account: String) -> ExportPlace? {
        let isTaken = taken.withLock { taken in
            guard taken.count < Self.most else { return false }
            return taken.insert(account).inserted
        }
        return isTaken ? ExportPlace(account: account, places: self) : nil
    }

    fileprivate func leave(_ account: String) { taken.withLock { _ = $0.remove(account) } }
}

/// A place of ``ExportPlaces``, for as long as somebody has this: a download that is never begun, since its reader has gone before, gives it back, too.
final class ExportPlace: Sendable {
    private let account: String
    private let places: ExportPlaces

    fileprivate init(account: String, places: ExportPlaces) { (self.account, self.places) = (account, places) }

    deinit { places.leave(account) }
}

extension SiteVisit {
    /// Whoever downloads has gone, or took nothing for too long.
    private struct ReaderGone: Error {}

    /// Seconds after which it is worth to ask once more.
    static let exportRetry = 30

    /// What is stored of somebody, as a ZIP file that is sent while it is written; nil where too many are, or one of theirs.
    func export(of account: AccountRow) -> Work? {
        guard let place = desk.exports.take(for: account.id) else { return nil }
        let head = StreamHead(
            contentType: "application/zip",
            headers: [
                ("Content-Disposition", "attachment; filename=\"account.zip\""), ("X-Content-Type-Options", "nosniff"),
            ], heartbeat: [], endpoint: "sign-in")
        return .stream(head) { [desk] writer in
            Task {
                defer { withExtendedLifetime(place) {} }
                let zip = ZipSink { bytes in
                    let isTaken = await withCheckedContinuation { sent in
                        _ = writer.write(bytes) { sent.resume(returning: $0) }
                    }
                    guard isTaken else { throw ReaderGone() }
                }
                // One that breaks off is no ZIP file, as whoever opens it is told; of a storage that fails the operator hears.
                await desk.host.apart.attempt(failed: { _ in }) {
                    try await PersonExport(desk.host.apart, files: desk.host.files, to: zip).run(account)
                    try await zip.finish()
                }
                writer.close()
            }
        }
    }
}
