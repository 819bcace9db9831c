import CloudKitWire
import Foundation
import NephosTransport

/// Saves and deletes records of one zone: uploads the files, and then sends one request.
struct RecordSaving: Sendable {
    struct Outcome: @unchecked Sendable {
        var saved: [(CKRecord, Result<CKRecord, any Error>)] = []
        var deleted: [(CKRecord.ID, Result<Void, any Error>)] = []
    }

    typealias Progress = @Sendable (CKRecord, Double) -> Void

    var service: Service
    var scope: CKDatabaseScope
    var zone: CKRecordZoneID
    var policy: CKModifyRecordsOperation.RecordSavePolicy
    /// Whether either all changes are made or none; nil for a zone that is never atomic.
    var atomic: Bool?
    var records: [CKRecord]
    var deletions: [CKRecord.ID]
    /// Whether a record that does not exist counts as deleted.
    var countsMissingAsDeleted = true
    /// The value of `clientChangeTokenData`; nil if it is not stored for this zone.
    var clientToken: Data?

    /// - Throws: An error that concerns all records.
    func run(_ terms: Service.Terms, progress: @escaping Progress) async throws(CKError) -> Outcome {
        let sent = records.map { record in record.contents.withLock { $0.sending() } }
        var failures: [CKRecord.ID: CKError] = [:]
        for case let share as CKShare in records {
            failures[share.recordID] = share.shared.fault.map { CKError(.invalidArguments, $0) }
        }
        let upload = AssetUpload(service: service, scope: scope, zone: zone)
        let files = try await upload.run(records, onlyChanges: policy != .allKeys, terms, &failures, progress)
        // The viewer is looked up before anything is saved, since nothing may fail after the save.
        let viewer = try await service.viewer(terms)
        var operations: [[UInt8]] = []
        for record in records where failures[record.recordID] == nil {
            do throws(UnusableValue) {
                operations.append(try operation(record, files, viewer.cipher))
            } catch {
                failures[record.recordID] = CKError(.invalidArguments, "\(record.recordID.recordName): \(error.reason)")
            }
        }
        if atomic == true, !failures.isEmpty { return spoiled(by: failures) }
        operations += deletions.map(deletion)
        let items = try await answers(operations, terms, &failures)
        var outcome = Outcome()
        for (record, contents) in zip(records, sent) {
            let result: Result<CKRecord, any Error>
            switch items[Name(record.recordID.recordName)] {
            case _ where failures[record.recordID] != nil:
                result = .failure(failures[record.recordID] ?? .unanswered)
            case .record(let answer)? where !answer.recordType.hasSameBytes(as: record.recordType):
                let reason = "the server answered with a record of the type \(answer.recordType)"
                result = .failure(CKError(.serverResponseLost, "\(record.recordID.recordName): \(reason)"))
            case .record(let answer)? where answer.contents.value.hasPlainField(among: contents.encrypted):
                let reason = "the server answered with a value that is not encrypted, for a field that is"
                result = .failure(CKError(.serverResponseLost, "\(record.recordID.recordName): \(reason)"))
            case .record(let answer)?:
                record.contents.withLock {
                    $0.saved(answer.contents.value, sent: contents, isWhole: !asksLittle) {
                        files.saved($0, record, $1)
                    }
                }
                if let share = record as? CKShare, let answer = answer as? CKShare {
                    share.change { $0.saved(answer.shared) }
                }
                result = .success(record)
            case .failed(_, let error)?:
                result = .failure(error.ckError(saving: record, RecordReader(scope, zone: zone, viewer)))
            case .deleted?, nil: result = .failure(CKError.unansweredChange)
            }
            outcome.saved.append((record, result))
        }
        for id in deletions {
            switch items[Name(id.recordName)] {
            case _ where failures[id] != nil: outcome.deleted.append((id, .failure(failures[id] ?? .unanswered)))
            case .deleted?: outcome.deleted.append((id, .success(())))
            case .failed(_, let error)?: outcome.deleted.append((id, .failure(error.ckError)))
            case .record?, nil: outcome.deleted.append((id, .failure(CKError.unansweredChange)))
            }
        }
        return outcome
    }

    /// Whether responses can omit the fields of records. They can if a save requires an unchanged record: the server
    /// then has the fields that it had when the record was fetched, and those that were sent.
    private var asksLittle: Bool { policy == .ifServerRecordUnchanged }

    /// - Parameter failures: Receives the error for all remaining records if the zone does not exist or was removed.
    private func answers(
        _ operations: [[UInt8]], _ terms: Service.Terms, _ failures: inout [CKRecord.ID: CKError]
    ) async throws(CKError) -> [Name: RecordReader.Item] {
        if operations.isEmpty { return [:] }
        let call = RecordsModify(
            scope: scope, zone: zone, operations: operations, atomic: atomic, desiredKeys: asksLittle ? [] : nil,
            clientToken: clientToken)
        do throws(CKError) {
            return RecordReader.byName(try await service.answer(call, terms))
        } catch {
            // The error concerns the records of this zone only: those of other zones may still be saved.
            guard error.code == .zoneNotFound || error.code == .userDeletedZone else { throw error }
            for id in records.map(\.recordID) + deletions where failures[id] == nil { failures[id] = error }
            return [:]
        }
    }

    /// The outcome for an atomic zone if one of its records cannot be sent: nothing is sent.
    private func spoiled(by failures: [CKRecord.ID: CKError]) -> Outcome {
        let other = CKError(.batchRequestFailed, "another record of this zone could not be sent, so none was")
        return Outcome(
            saved: records.map { ($0, .failure(failures[$0.recordID] ?? other)) },
            deleted: deletions.map { ($0, .failure(other)) })
    }

    private func operation(
        _ record: CKRecord, _ files: AssetUpload.Files, _ cipher: FieldCipher?
    ) throws(UnusableValue) -> [UInt8] {
        // Shares never overwrite changes that somebody else has made.
        let policy = record.recordType == CKRecord.SystemType.share ? .ifServerRecordUnchanged : policy
        let type: String =
            switch policy {
            case .ifServerRecordUnchanged: record.recordChangeTag == nil ? "create" : "update"
            case .changedKeys, .allKeys: "forceUpdate"
            }
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("operationType", type)
        writer.key("record")
        try record.write(
            to: &writer, onlyChanges: policy != .allKeys, in: scope,
            files: { files.stored($0, of: record, field: $1) }, cipher: cipher)
        writer.endObject()
        return writer.bytes
    }

    /// Deletions never check a change tag.
    private func deletion(_ id: CKRecord.ID) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("operationType", countsMissingAsDeleted ? "forceDelete" : "delete")
        writer.key("record")
        writer.beginObject()
        writer.member("recordName", id.recordName)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}

extension RecordReader {
    /// The results by the names of their records, which are compared byte by byte.
    static func byName(_ items: [Item]) -> [Name: Item] {
        var named: [Name: Item] = [:]
        for item in items { if let name = item.recordName { named[Name(name)] = item } }
        return named
    }
}

extension RecordReader.Item {
    var recordName: String? {
        switch self {
        case .record(let record): record.recordID.recordName
        case .deleted(let id, _): id.recordName
        case .failed(let id, _): id?.recordName
        }
    }
}
