import CloudKit
import Testing

@testable import NephosKit

/// Declared API that is not implemented yet, and its values (docs/client.md, "Sharing"). Each file has one topic; this one has the
/// shared helpers.
@Suite enum NotYetTests {
    static let server = URL(string: "http://127.0.0.1:9")
    static let container = CKContainer(
        identifier: "iCloud.test", configuration: NephosConfiguration(serverURL: server, webAuthToken: "somebody"))
    static let strangers = CKContainer(identifier: "iCloud.test", configuration: NephosConfiguration(serverURL: server))

    static let zoneID = CKRecordZone.ID(zoneName: "Notes")
    static func userID(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name) }
    static func person(_ name: String) -> CKUserIdentity {
        let lookupInfo = CKUserIdentityLookupInfo(emailAddress: "\(name)@example.com")
        return CKUserIdentity(userRecordID: userID("_\(name)"), lookupInfo: lookupInfo, hasAccount: true)
    }
    static func participant(
        _ name: String, _ role: CKShare.ParticipantRole = .privateUser,
        _ status: CKShare.ParticipantAcceptanceStatus = .pending
    ) -> CKShare.Participant {
        let members = CKShareParticipant.Members(role: role, permission: .readOnly, acceptanceStatus: status)
        return CKShareParticipant(person(name), members)
    }
    static func metadata(of share: CKShare = CKShare(recordZoneID: zoneID)) -> CKShare.Metadata {
        CKShareMetadata(
            containerIdentifier: "iCloud.test", share: share, participant: participant("ann", .administrator).members,
            rootRecordID: share.shared.rootRecordID)
    }
    static func archived<Value: NSObject & NSCoding>(_ value: Value) throws -> Value? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
    }

    /// The message of an error that reports a missing feature.
    static func reason(_ error: (any Error)?) -> String {
        guard let error = error as? CKError, error.code == .serverRejectedRequest else {
            return "another: \(error as Any)"
        }
        return error.localizedDescription
    }
    static func reason<Value>(_ body: () async throws -> Value) async -> String {
        do {
            return "no error, but \(try await body())"
        } catch {
            return reason(error)
        }
    }
    static func reason<Value>(of start: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void) async -> String {
        await withCheckedContinuation { continuation in
            start { value, error in continuation.resume(returning: value == nil ? reason(error) : "a value") }
        }
    }
    static func reason<Value>(
        ofResult start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    ) async -> String {
        await withCheckedContinuation { continuation in
            start { result in continuation.resume(returning: reason(result.failure)) }
        }
    }
}
