import CloudKit
import Foundation

/// Fetches the changes of our zone with one operation, page by page, and prints each record that it gets. Notes are stored together with a
/// token, and only then: a stored state consists of whole pages.
///
/// The operation calls its blocks one after the other.
final class Following: @unchecked Sendable {
    private let notes: Notes
    /// After so many records the program kills itself, wherever it is; 0 for never.
    private let last: Int
    private var count = 0
    private var outcome: Result<Void, any Error> = .success(())

    init(_ notes: Notes, killedAfter last: Int) { (self.notes, self.last) = (notes, last) }

    /// - Parameter limit: The number of records of a page.
    func run(_ database: CKDatabase, pagesOf limit: Int) async throws {
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [Notes.zone],
            configurationsByRecordZoneID: [
                Notes.zone: .init(previousServerChangeToken: notes.zoneToken, resultsLimit: limit)
            ])
        operation.recordWasChangedBlock = { [self] id, result in
            if let record = try? result.get() { notes.keep(record, isSent: false) }
            got(id)
        }
        operation.recordWithIDWasDeletedBlock = { [self] id, _ in
            notes.remove(id.recordName)
            got(id)
        }
        operation.recordZoneChangeTokensUpdatedBlock = { [self] _, token, _ in keep(token) }
        operation.recordZoneFetchResultBlock = { [self] _, result in keep((try? result.get())?.serverChangeToken) }
        operation.fetchRecordZoneChangesResultBlock = { [self] in outcome = $0 }
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            database.add(operation)
        }
        try outcome.get()
    }

    private func got(_ id: CKRecord.ID) {
        // Without a buffer, which would be lost.
        FileHandle.standardOutput.write(Data("got \(id.recordName)\n".utf8))
        count += 1
        if count == last { kill(getpid(), SIGKILL) }
    }

    private func keep(_ token: CKServerChangeToken?) {
        guard let token else { return }
        notes.zoneToken = token
        do { try notes.save() } catch { outcome = .failure(error) }
    }
}
