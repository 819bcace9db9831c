import CloudKitWire
import Foundation
import NephosTransport

/// A zone of a database.
struct RecordPlace: Sendable, Equatable {
    var scope: CKDatabaseScope
    var zone: CKRecordZoneID
}

/// Fetches records of one zone and their files, by the names of the records.
struct RecordFetching: Sendable {
    typealias Results = Unchecked<[(CKRecord.ID, Result<CKRecord, any Error>)]>

    var core: ContainerCore
    var desiredKeys: [CKRecord.FieldKey]?

    /// - Returns: A result for each name, in the order of the names.
    /// - Throws: An error that concerns all records.
    func run(
        _ place: RecordPlace, _ names: [String], _ terms: Service.Terms,
        progress: @escaping @Sendable (CKRecord.ID, Double) -> Void
    ) async throws(CKError) -> [(CKRecord.ID, Result<CKRecord, any Error>)] {
        let ids = names.map { CKRecord.ID(recordName: $0, zoneID: place.zone) }
        let call = RecordsLookup(scope: place.scope, zone: place.zone, names: names, desiredKeys: desiredKeys)
        let items: [Name: RecordReader.Item]
        do throws(CKError) {
            items = RecordReader.byName(try await core.service.answer(call, terms))
        } catch {
            guard error.code == .zoneNotFound || error.code == .userDeletedZone else { throw error }
            return ids.map { ($0, .failure(error)) }
        }
        var results: [(CKRecord.ID, Result<CKRecord, any Error>)] = []
        for id in ids {
            switch items[Name(id.recordName)] {
            case .record(let record)?: results.append((id, .success(record)))
            case .failed(_, let error)?: results.append((id, .failure(error.ckError)))
            case .deleted?: results.append((id, .failure(CKError(.unknownItem, "Record not found: it was deleted"))))
            case nil: results.append((id, .failure(CKError.unanswered)))
            }
        }
        let failures = try await AssetDownload(core: core).run(
            results.compactMap { try? $0.1.get() }, terms, progress: progress)
        return results.map { id, result in (id, failures[id].map { .failure($0) } ?? result) }
    }
}

/// Fetches the files of records, a few at a time.
struct AssetDownload: Sendable {
    private static let together = 4

    var core: ContainerCore

    /// Fetches the files that the records name, and sets them in the records.
    ///
    /// - Returns: The errors of files that could not be fetched, by record.
    func run(
        _ records: [CKRecord], _ terms: Service.Terms,
        progress: @escaping @Sendable (CKRecord.ID, Double) -> Void = { _, _ in }
    ) async throws(CKError) -> [CKRecord.ID: CKError] {
        let holders = records.filter { record in
            record.contents.withLock { contents in
                contents.fields.values.contains { $0.hasAssets && $0.assets.contains { $0.fileURL == nil } }
            }
        }
        if holders.isEmpty { return [:] }
        core.files.trim()
        let failures = Locked<[CKRecord.ID: CKError]>([:])
        await withTaskGroup(of: Void.self) { group in
            for (index, record) in holders.enumerated() {
                if index >= Self.together { await group.next() }
                group.addTask {
                    do throws(CKError) {
                        try await fetch(record, terms, progress: progress)
                    } catch {
                        failures.withLock { $0[record.recordID] = error }
                    }
                }
            }
        }
        if Task.isCancelled { throw .cancelled }
        return failures.value
    }

    private func fetch(
        _ record: CKRecord, _ terms: Service.Terms, progress: @escaping @Sendable (CKRecord.ID, Double) -> Void
    ) async throws(CKError) {
        var urls: [ObjectIdentifier: URL] = [:]
        let assets = record.contents.value.fields.values.flatMap(\.assets)
        for asset in assets where asset.fileURL == nil {
            guard let stored = asset.stored else { continue }
            urls[ObjectIdentifier(asset)] = try await core.service.download(stored, into: core.files, terms) {
                progress(record.recordID, $0)
            }
        }
        record.contents.withLock { contents in
            contents.fetched { asset in
                guard let stored = asset.stored, let url = urls[ObjectIdentifier(asset)] else { return asset }
                return CKAsset(stored, fileURL: url)
            }
        }
    }
}
