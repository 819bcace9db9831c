import CloudKitWire
import Foundation
import NephosTransport

/// Saves and deletes records of one zone: files first, then one request.
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
    /// Nil where the zone has no say in it.
    var atomic: Bool?
    var records: [CKRecord]
    var deletions: [CKRecord.ID]
    /// `clientChangeTokenData`, where it is kept.
    var clientToken: Data?

    /// - Throws: What failed for all of it alike.
    func run(_ terms: Service.Terms, progress: @escaping Progress) async throws(CKError) -> Outcome {
        let sent = records.map { record in record.contents.withLock { $0.sending() } }
        var failures: [CKRecord.ID: CKError] = [:]
        for case let share as CKShare in records {
            failures[share.recordID] =
                share.shared.fault.map { CKError(.invalidArguments, $0) } ?? NotYet.saving.error
        }
        let upload = AssetUpload(service: service, scope: scope, zone: zone)
        let files = try await upload.run(records, onlyChanges: policy != .allKeys, terms, &failures, progress)
        // Before anything is saved: afterwards nothing may fail any more.
        let viewer = try await service.viewer(terms)
        let cipher = scope == .public ? nil : viewer.cipher
        var operations: [[UInt8]] = []
        for record in records where failures[record.recordID] == nil {
            do throws(UnusableValue) {
                operations.append(try operation(record, files, cipher))
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
            switch items[record.recordID.recordName] {
            case _ where failures[record.recordID] != nil:
                result = .failure(failures[record.recordID] ?? .unanswered)
            case .record(let answer)?:
                record.contents.withLock {
                    $0.saved(answer.contents.value, sent: contents, isWhole: !asksLittle) {
                        files.saved($0, record, $1)
                    }
                }
                result = .success(record)
            case .failed(_, let error)?:
                result = .failure(error.ckError(saving: record, RecordReader(zone: zone, viewer)))
            case .deleted?, nil: result = .failure(CKError.unansweredChange)
            }
            outcome.saved.append((record, result))
        }
        for id in deletions {
            switch items[id.recordName] {
            case _ where failures[id] != nil: outcome.deleted.append((id, .failure(failures[id] ?? .unanswered)))
            case .deleted?: outcome.deleted.append((id, .success(())))
            case .failed(_, let error)?: outcome.deleted.append((id, .failure(error.ckError)))
            case .record?, nil: outcome.deleted.append((id, .failure(CKError.unansweredChange)))
            }
        }
        return outcome
    }

    /// Whether answers need not hold fields: what the server has then is what it had when the record was fetched, and what was
    /// sent.
    private var asksLittle: Bool { policy == .ifServerRecordUnchanged }

    /// - Parameter failures: Gets those of a zone that is not there.
    private func answers(
        _ operations: [[UInt8]], _ terms: Service.Terms, _ failures: inout [CKRecord.ID: CKError]
    ) async throws(CKError) -> [String: RecordReader.Item] {
        if operations.isEmpty { return [:] }
        let call = RecordsModify(
            scope: scope, zone: zone, operations: operations, atomic: atomic, desiredKeys: asksLittle ? [] : nil,
            clientToken: clientToken)
        do throws(CKError) {
            return RecordReader.byName(try await service.answer(call, terms))
        } catch {
            // That is an error of this zone's records, beside which those of others may be saved.
            guard error.code == .zoneNotFound || error.code == .userDeletedZone else { throw error }
            for id in records.map(\.recordID) + deletions where failures[id] == nil { failures[id] = error }
            return [:]
        }
    }

    /// An atomic zone in which something cannot even be sent.
    private func spoiled(by failures: [CKRecord.ID: CKError]) -> Outcome {
        let other = CKError(.batchRequestFailed, "another record of this zone could not be sent, so none was")
        return Outcome(
            saved: records.map { ($0, .failure(failures[$0.recordID] ?? other)) },
            deleted: deletions.map { ($0, .failure(other)) })
    }

    private func operation(
        _ record: CKRecord, _ files: AssetUpload.Files, _ cipher: FieldCipher?
    ) throws(UnusableValue) -> [UInt8] {
        // Shares are never saved over what somebody else changed.
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
            to: &writer, onlyChanges: policy != .allKeys, files: { files.stored($0, of: record, field: $1) },
            cipher: cipher)
        writer.endObject()
        return writer.bytes
    }

    /// Deleting never asks for a tag, and what is not there is deleted already.
    private func deletion(_ id: CKRecord.ID) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("operationType", "forceDelete")
        writer.key("record")
        writer.beginObject()
        writer.member("recordName", id.recordName)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}

extension RecordReader {
    static func byName(_ items: [Item]) -> [String: Item] {
        var named: [String: Item] = [:]
        for item in items { if let name = item.recordName { named[name] = item } }
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
