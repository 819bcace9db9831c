import CloudKit
import FeatureSwitches
import Foundation

extension CKContainer {
    /// Records of a request.
    static let pageRecords = 200
    /// Flags of a container that are read; more is a mistake.
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

    /// The record of a type that was changed last; nil where there is none.
    func newestRecord(of type: CKRecord.RecordType) async throws -> CKRecord? {
        let query = CKQuery(recordType: type, predicate: NSPredicate(value: true))
        query.sortDescriptors = [NSSortDescriptor(key: "modificationDate", ascending: false)]
        let matches = try await publicCloudDatabase.records(matching: query, resultsLimit: 1).matchResults
        return try matches.first?.1.get()
    }

    /// A record of the public database; nil where there is none of this name.
    func record(named name: String) async throws -> CKRecord? {
        do {
            return try await publicCloudDatabase.record(for: CKRecord.ID(recordName: name))
        } catch CKError.unknownItem {
            return nil
        }
    }

    /// The name of the user record of who is signed in; nil for nobody. Throws where that cannot be said now.
    func personName() async throws -> String? {
        switch try await accountStatus() {
        case .available: return try await userRecordID().recordName
        case .noAccount, .restricted: return nil
        // Who is drawn for anew by the device would see percentages change.
        default: throw FlagFault(.unreachable, "it is not known who is signed in")
        }
    }
}
