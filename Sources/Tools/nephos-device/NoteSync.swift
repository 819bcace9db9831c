import CloudKit
import Foundation

/// Sends and fetches notes.
struct NoteSync {
    let notes: Notes
    let database: CKDatabase

    /// Sends pending notes, 200 at a time; creates the zone if it does not exist, and merges changes of others.
    func push() async throws {
        while !notes.pending.isEmpty {
            let records = try notes.pending.prefix(200).map { try notes.record($0) }
            let saved = try await database.modifyRecords(saving: records, deleting: [], atomically: false).saveResults
            for record in records {
                switch saved[record.recordID] {
                case .success(let record)?: notes.keep(record, isSent: true)
                case .failure(let error as CKError)?: try await mend(error, record.recordID.recordName)
                case .failure(let error)?: throw error
                case nil: throw CKError(.internalError)
                }
            }
            // The state is stored after each step, so that notes are not sent twice.
            try notes.save()
        }
    }

    private func mend(_ error: CKError, _ name: String) async throws {
        switch error.code {
        case .zoneNotFound:
            try await database.save(CKRecordZone(zoneID: Notes.zone))
            notes.sendAgain()
        case .serverRecordChanged:
            guard let server = error.serverRecord else { throw error }
            let (mine, theirs) = (notes.texts[name] ?? "", server["text"] as? String ?? "")
            notes.keep(server, isSent: false)
            notes.edit(name, mine == theirs ? mine : [mine, theirs].sorted().joined(separator: "+"))
        default: throw error
        }
    }

    /// Fetches changes: first which zones have changed, then the changes in ours.
    func pull() async throws {
        var moreComing = true
        while moreComing {
            let changes = try await database.databaseChanges(since: notes.databaseToken)
            if changes.deletions.contains(where: { $0.zoneID == Notes.zone }) { notes.clear() }
            if changes.modifications.contains(where: { $0.zoneID == Notes.zone }) { try await pullZone() }
            notes.databaseToken = changes.changeToken
            moreComing = changes.moreComing
            try notes.save()
        }
    }

    /// Fetches changes in our zone, like programs that have no other.
    func pullZone() async throws {
        var moreComing = true
        while moreComing {
            do {
                let changes = try await database.recordZoneChanges(inZoneWith: Notes.zone, since: notes.zoneToken)
                for (_, change) in changes.modificationResultsByID {
                    notes.keep(try change.get().record, isSent: false)
                }
                for deletion in changes.deletions { notes.remove(deletion.recordID.recordName) }
                notes.zoneToken = changes.changeToken
                moreComing = changes.moreComing
                try notes.save()
            } catch CKError.changeTokenExpired {
                print("the token has expired: fetching everything again")
                notes.fetchAgain()
            }
        }
    }
}
