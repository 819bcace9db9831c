import CloudKit
import Testing

@testable import NephosKit
@testable import NephosTransport

extension NotYetTests {
    /// Functions of containers that fail report what is missing, both with blocks and with `async` (docs/client.md, "Sharing").
    @Suite struct ContainerTests {
        private func says(_ what: NotYet) -> String { "sharing is not supported yet: \(what.rawValue)" }

        private let id = userID("_ann")
        private let email = "ann@example.com"
        private let phone = "+49 1"

        @Test func requestsForAccess() async throws {
            let url = try #require(server)
            #expect(await reason { try await container.requestShareAccess(for: [url]) } == says(.accessRequests))
        }

        @available(*, deprecated, message: "All of it is old.")
        @Test func findingOnePerson() async {
            let text = says(.discovery)
            #expect(await reason(of: { container.discoverAllIdentities(completionHandler: $0) }) == text)
            #expect(await reason { try await container.allUserIdentitiesFromContacts() } == text)
            #expect(
                await reason(of: { container.discoverUserIdentity(withEmailAddress: email, completionHandler: $0) })
                    == text
            )
            #expect(
                await reason(of: { container.discoverUserIdentity(withPhoneNumber: phone, completionHandler: $0) })
                    == text)
            #expect(
                await reason(of: { container.discoverUserIdentity(withUserRecordID: id, completionHandler: $0) })
                    == text)
            #expect(await reason { try await container.userIdentity(forEmailAddress: email) } == text)
            #expect(await reason { try await container.userIdentity(forPhoneNumber: phone) } == text)
            #expect(await reason { try await container.userIdentity(forUserRecordID: id) } == text)
        }

        @available(*, deprecated, message: "All of it is old.")
        @Test func findingManyPeople() async {
            let text = says(.discovery)
            #expect(
                await reason(ofResult: {
                    container.discoverUserIdentities(forEmailAddresses: [email], completionHandler: $0)
                }) == text)
            #expect(
                await reason(ofResult: {
                    container.discoverUserIdentities(forPhoneNumbers: [phone], completionHandler: $0)
                }) == text)
            #expect(
                await reason(ofResult: {
                    container.discoverUserIdentities(forUserRecordIDs: [id], completionHandler: $0)
                }) == text)
            #expect(await reason { try await container.userIdentities(forEmailAddresses: [email]) } == text)
            #expect(await reason { try await container.userIdentities(forPhoneNumbers: [phone]) } == text)
            #expect(await reason { try await container.userIdentities(forUserRecordIDs: [id]) } == text)
        }

        @available(*, deprecated, message: "All of it is old.")
        @Test func permissionsCouldNotBeCompletedAndSayWhy() async {
            for (container, code) in [(container, CKError.serverRejectedRequest), (strangers, .notAuthenticated)] {
                let told = Locked<[CKError.Code?]>([])
                for isRequest in [false, true] {
                    await withCheckedContinuation { continuation in
                        let block: @Sendable (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void = {
                            status, error in
                            told.withLock { $0.append(status == .couldNotComplete ? (error as? CKError)?.code : nil) }
                            continuation.resume()
                        }
                        if isRequest {
                            container.requestApplicationPermission(.userDiscoverability, completionHandler: block)
                        } else {
                            container.status(forApplicationPermission: .userDiscoverability, completionHandler: block)
                        }
                    }
                }
                #expect(told.value == [code, code])
                await #expect(throws: CKError.self) {
                    try await container.applicationPermissionStatus(for: .userDiscoverability)
                }
                do {
                    try await container.requestApplicationPermission([.userDiscoverability])
                    Issue.record("it was granted")
                } catch {
                    #expect((error as? CKError)?.code == code)
                }
            }
            #expect(
                await reason { try await container.applicationPermissionStatus(for: .userDiscoverability) }
                    == says(.permissions))
            #expect(CKContainer.ApplicationPermissionStatus.granted.rawValue == 3)
        }

        @Test func noOperationOutlivesTheProgram() async throws {
            #expect(try await container.allLongLivedOperationIDs().isEmpty)
            #expect(try await container.longLivedOperation(for: "x") == nil)
            let ids = await withCheckedContinuation { continuation in
                container.fetchAllLongLivedOperationIDs { ids, error in
                    continuation.resume(returning: error == nil ? ids : nil)
                }
            }
            #expect(ids?.isEmpty == true)
            let isNothing = await withCheckedContinuation { continuation in
                container.fetchLongLivedOperation(withID: "x") { operation, error in
                    continuation.resume(returning: operation == nil && error == nil)
                }
            }
            #expect(isNothing)
        }

        @Test func allSayItAlike() {
            for what in NotYet.allCases { #expect(reason(what.error).hasPrefix("sharing is not supported yet: ")) }
            for what in Dropped.allCases {
                #expect(reason(what.error).hasSuffix("Apple's service no longer supports it; fetch changes instead"))
            }
        }
    }
}
