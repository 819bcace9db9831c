import CloudKit
import NephosTesting
import Testing

@testable import NephosKit
@testable import NephosTransport

/// Participants to add to a share are created without a request (docs/client.md, "Sharing").
@Suite("Participants of shares") struct ParticipantTests {
    /// Nothing listens there.
    private let container = NotYetTests.container

    @Test("People are named by user records and addresses, and may read; nobody is found by a telephone number")
    func several() async throws {
        let user = CKRecord.ID(recordName: "_ann")
        let infos: [CKUserIdentity.LookupInfo] = [
            .init(userRecordID: user), .init(emailAddress: "ann@example.com"), .init(phoneNumber: "1"),
        ]
        let found = try await container.shareParticipants(for: infos)
        let byUser = try #require(try found[infos[0]]?.get())
        #expect(byUser.userIdentity.userRecordID == user && byUser.userIdentity.hasiCloudAccount)
        #expect(byUser.role == .privateUser && byUser.permission == .readOnly && byUser.acceptanceStatus == .unknown)
        let byAddress = try #require(try found[infos[1]]?.get())
        #expect(byAddress.userIdentity.lookupInfo?.emailAddress == "ann@example.com")
        #expect(byAddress.userIdentity.userRecordID == nil && !byAddress.userIdentity.hasiCloudAccount)
        #expect(throws: CKError.self) { try found[infos[2]]?.get() }
        #expect(try await container.shareParticipants(forUserRecordIDs: [user])[user]?.get() == byUser)
        #expect(try await container.shareParticipants(forEmailAddresses: ["a@b.c"])["a@b.c"]?.get() != nil)
        #expect(try await container.shareParticipants(forPhoneNumbers: ["1"])["1"]?.failure is CKError)
        #expect(try await container.shareParticipant(forUserRecordID: user) == byUser)
        #expect(try await container.shareParticipant(forEmailAddress: "ann@example.com") == byAddress)
        await #expect(throws: CKError.self) { try await container.shareParticipant(forPhoneNumber: "1") }
    }

    @Test("Blocks receive the same")
    func blocks() async throws {
        let user = CKRecord.ID(recordName: "_ann")
        let one = await withCheckedContinuation { continuation in
            container.fetchShareParticipant(withUserRecordID: user) { participant, error in
                continuation.resume(returning: error == nil ? participant : nil)
            }
        }
        #expect(one?.userIdentity.userRecordID == user)
        let none = await withCheckedContinuation { continuation in
            container.fetchShareParticipant(withPhoneNumber: "1") { participant, error in
                continuation.resume(returning: participant == nil ? (error as? CKError)?.code : nil)
            }
        }
        #expect(none == .invalidArguments)
        let mail = await withCheckedContinuation { continuation in
            container.fetchShareParticipant(withEmailAddress: "a@b.c") { participant, _ in
                continuation.resume(returning: participant?.userIdentity.lookupInfo?.emailAddress)
            }
        }
        #expect(mail == "a@b.c")
        let users = await withCheckedContinuation { continuation in
            container.fetchShareParticipants(forUserRecordIDs: [user]) {
                continuation.resume(returning: try? $0.get().count)
            }
        }
        let mails = await withCheckedContinuation { continuation in
            container.fetchShareParticipants(forEmailAddresses: ["a@b.c"]) {
                continuation.resume(returning: try? $0.get().count)
            }
        }
        let phones = await withCheckedContinuation { continuation in
            container.fetchShareParticipants(forPhoneNumbers: ["1", "2"]) {
                continuation.resume(returning: try? $0.get().count)
            }
        }
        #expect(users == 1 && mails == 1 && phones == 2)
    }

    @available(*, deprecated, message: "It sets old blocks too.")
    @Test("The operation reports each person, and at the end who failed")
    func operation() async {
        let log = Locked<[String]>([])
        let operation = CKFetchShareParticipantsOperation(
            userIdentityLookupInfos: [.init(emailAddress: "a@b.c"), .init(phoneNumber: "1")])
        operation.perShareParticipantResultBlock = { info, result in
            log.withLock { $0.append("\(info.emailAddress ?? "phone") \(result.isSuccess)") }
        }
        operation.shareParticipantFetchedBlock = { _ in log.withLock { $0.append("fetched") } }
        operation.fetchShareParticipantsResultBlock = { result in
            log.withLock { $0.append("result \(result.isSuccess)") }
        }
        operation.fetchShareParticipantsCompletionBlock = { error in
            log.withLock { $0.append("old \((error as? CKError)?.code == .partialFailure)") }
        }
        #expect(operation.shareParticipantFetchedBlock != nil && operation.fetchShareParticipantsCompletionBlock != nil)
        #expect(CKFetchShareParticipantsOperation().userIdentityLookupInfos == nil)
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            container.add(operation)
        }
        #expect(log.value == ["a@b.c true", "fetched", "phone false", "result true", "old true"])
    }
}
