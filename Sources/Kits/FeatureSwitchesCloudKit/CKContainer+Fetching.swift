import CloudKit
import FeatureSwitches
import Foundation

extension CKContainer {
    /// Records per request.
    static let pageRecords = 200
    /// Maximum number of flags read from a container; more is a mistake.
    private static let flagsMax = 10_000

    /// All records of a type in the public database.
    func allRecords(of type: CKRecord.RecordType) async throws -> [CKRecord] {
        let query = CKQuery(recordType: type, predicate: NSPredicate(value: true))
        var (matches, cursor) = try await publicCloudDatabase.records(
            matching: query, resultsLimit: Self.pageRecords)
        var records = try matches.map { try $0.1.get() }
        while let next = cursor {
            guard records.count < Self.flagsMax else {
                throw FlagFault(.refused, "there are more than \(Self.flagsMax) records of type \(type)")
            }
            (matches, cursor) = try await publicCloudDatabase.records(
                continuingMatchFrom: next, resultsLimit: Self.pageRecords)
            records += try matches.map { try $0.1.get() }
        }
        return records
    }

    /// The most recently modified record of a type; nil if there is none.
    func newestRecord(of type: CKRecord.RecordType) async throws -> CKRecord? {
        let query = CKQuery(recordType: type, predicate: NSPredicate(value: true))
        query.sortDescriptors = [NSSortDescriptor(key: "modificationDate", ascending: false)]
        let matches = try await publicCloudDatabase.records(matching: query, resultsLimit: 1).matchResults
        return try matches.first?.1.get()
    }

    /// A record of the public database; nil if there is none of this name.
    func record(named name: String) async throws -> CKRecord? {
        do {
            return try await publicCloudDatabase.record(for: CKRecord.ID(recordName: name))
        } catch CKError.unknownItem {
            return nil
        }
    }

    /// The name of the signed-in user's record; nil if nobody is signed in. Throws if that cannot be determined now.
    func personName() async throws -> String? {
        switch try await accountStatus() {
        case .available: return try await userRecordID().recordName
        case .noAccount, .restricted: return nil
        // With the device's ID instead of the user's, percentage splits would change.
        default: throw FlagFault(.unreachable, "the signed-in user cannot be determined")
        }
    }
}
