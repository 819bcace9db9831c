import CloudKit

/// Stores counts in a zone of the user's private database.
struct Keeper: Sendable {
    let database: CKDatabase
    let zoneID: CKRecordZone.ID
    let configuration: CKOperation.Configuration

    /// The stored counts; nil if there is no zone.
    func read() async throws(TrendsProblem) -> KeptCounts? {
        do {
            return KeptCounts(zoneID, try await allRecords())
        } catch let error as CKError where error.code == .zoneNotFound || error.code == .userDeletedZone {
            return nil
        } catch {
            throw TrendsProblem(keeping: error)
        }
    }

    /// The stored counts. A missing zone is created, even after the user had its data deleted: refreshing requires one.
    func load() async throws(CountingFault) -> KeptCounts {
        do throws(TrendsProblem) {
            if let kept = try await read() { return kept }
        } catch {
            throw .problem(error)
        }
        try await makeZone()
        return KeptCounts(zoneID)
    }

    /// Counts take a few pages, and a record for each tracker and each of its years: a feed with more does not end.
    private static let pagesMax = 1_000, recordsMax = 10_000

    private func allRecords() async throws -> [CKRecord] {
        var (records, token, isMoreComing): ([CKRecord], CKServerChangeToken?, Bool) = ([], nil, true)
        var pages = 0
        while isMoreComing {
            guard pages < Self.pagesMax, records.count <= Self.recordsMax else { throw CKError(.limitExceeded) }
            pages += 1
            let since = token
            let page = try await database.configuredWith(configuration: configuration) { [zoneID] database in
                try await database.recordZoneChanges(inZoneWith: zoneID, since: since)
            }
            records += try page.modificationResultsByID.values.map { try $0.get().record }
            (token, isMoreComing) = (page.changeToken, page.moreComing)
        }
        return records
    }

    private func makeZone() async throws(CountingFault) {
        do {
            _ = try await database.configuredWith(configuration: configuration) { [zoneID] database in
                try await database.save(CKRecordZone(zoneID: zoneID))
            }
        } catch {
            throw .problem(TrendsProblem(keeping: error))
        }
    }

    /// Saves all records or none, and none if another device has saved one of them since they were fetched.
    ///
    /// - Returns: The records as stored.
    func save(_ records: [CKRecord], deleting names: [String]) async throws(CountingFault) -> [CKRecord] {
        let ids = names.map { CKRecord.ID(recordName: $0, zoneID: zoneID) }
        do {
            let results = try await database.configuredWith(configuration: configuration) { database in
                try await database.modifyRecords(
                    saving: records, deleting: ids, savePolicy: .ifServerRecordUnchanged, atomically: true)
            }
            var (saved, errors): ([CKRecord], [any Error]) = ([], [])
            for result in results.saveResults.values {
                switch result {
                case .success(let record): saved.append(record)
                case .failure(let error): errors.append(error)
                }
            }
            for case .failure(let error) in results.deleteResults.values { errors.append(error) }
            if !errors.isEmpty { throw Self.fault(errors) }
            return saved
        } catch let fault as CountingFault {
            throw fault
        } catch {
            // Some forms of this call throw the error of a single item.
            throw Self.fault((error as? CKError)?.partialErrorsByItemID.map { Array($0.values) } ?? [error])
        }
    }

    private static func fault(_ errors: [any Error]) -> CountingFault {
        var others: [any Error] = []
        for error in errors {
            switch (error as? CKError)?.code {
            // After a lost response the save may have succeeded: read the current state.
            case .serverRecordChanged, .unknownItem, .zoneNotFound, .userDeletedZone, .serverResponseLost:
                return .outdated
            // The cause is the error of another item in the batch.
            case .batchRequestFailed: continue
            default: others.append(error)
            }
        }
        return others.first.map { .problem(TrendsProblem(keeping: $0)) } ?? .outdated
    }
}
