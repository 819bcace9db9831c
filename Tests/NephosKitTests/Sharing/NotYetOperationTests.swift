import CloudKit
import Testing

@testable import NephosKit
@testable import NephosTransport

extension NotYetTests {
    /// Operations that fail report what is missing, once and in order, and call no item block (docs/client.md, "Sharing").
    @Suite struct OperationTests {
        private let log = Locked<[String]>([])

        private func note(_ text: String) { log.withLock { $0.append(text) } }

        private func note(_ result: Result<Void, any Error>) { note("result: \(reason(result.failure))") }

        private func note(_ error: (any Error)?) { note("old: \(reason(error))") }

        private func run(_ operation: CKOperation) async -> [String] {
            await withCheckedContinuation { continuation in
                operation.completionBlock = {
                    note("finished")
                    continuation.resume()
                }
                container.add(operation)
            }
            return log.value
        }

        private func says(_ what: NotYet) -> [String] {
            let reason = "sharing is not supported yet: \(what.rawValue)"
            return ["result: \(reason)", "old: \(reason)", "finished"]
        }

        @Test func askingForAccess() async throws {
            let operation = CKShareRequestAccessOperation(shareURLs: [try #require(server)])
            operation.perShareAccessRequestResultBlock = { _, _ in note("item") }
            operation.shareAccessRequestResultBlock = { note($0) }
            #expect(operation.shareURLs?.first == server && CKShareRequestAccessOperation().shareURLs == nil)
            #expect(await run(operation) == says(.accessRequests).filter { !$0.hasPrefix("old") })
        }

        @available(*, deprecated, message: "All of it is old.")
        @Test func findingPeople() async {
            let operation = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: [.init(phoneNumber: "1")])
            operation.userIdentityDiscoveredBlock = { _, _ in note("item") }
            operation.discoverUserIdentitiesResultBlock = { note($0) }
            operation.discoverUserIdentitiesCompletionBlock = { note($0) }
            #expect(operation.userIdentityLookupInfos.count == 1)
            #expect(CKDiscoverUserIdentitiesOperation().userIdentityLookupInfos.isEmpty)
            #expect(await run(operation) == says(.discovery))
            log.value = []
            let all = CKDiscoverAllUserIdentitiesOperation()
            all.userIdentityDiscoveredBlock = { _ in note("item") }
            all.discoverAllUserIdentitiesResultBlock = { note($0) }
            all.discoverAllUserIdentitiesCompletionBlock = { note($0) }
            #expect(await run(all) == says(.discovery))
        }

        @available(*, deprecated, message: "All of it is old.")
        @Test func whatApplesServiceDropped() async throws {
            let token = CKServerChangeToken("t")
            let changes = CKFetchNotificationChangesOperation(previousServerChangeToken: token)
            changes.resultsLimit = 5
            changes.notificationChangedBlock = { _ in note("item") }
            changes.fetchNotificationChangesCompletionBlock = { note($0 == nil ? $1 : nil) }
            #expect(changes.previousServerChangeToken == token && !changes.moreComing && changes.resultsLimit == 5)
            let read = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: [CKNotificationID("n")])
            read.markNotificationsReadCompletionBlock = { note($0 == nil ? $1 : nil) }
            #expect(read.notificationIDs.count == 1)
            let badge = CKModifyBadgeOperation(badgeValue: 3)
            badge.modifyBadgeCompletionBlock = { note($0) }
            #expect(badge.badgeValue == 3)
            for (operation, what) in [
                (changes, "fetching past notifications"), (read, "marking notifications as read"),
                (badge, "setting a badge on the server"),
            ] {
                log.value = []
                let reason = "\(what): Apple's service no longer supports it; fetch changes instead"
                #expect(await run(operation) == ["old: \(reason)", "finished"])
            }
            #expect(CKFetchNotificationChangesOperation().previousServerChangeToken == nil)
            #expect(
                CKMarkNotificationsReadOperation().notificationIDs.isEmpty && CKModifyBadgeOperation().badgeValue == 0)
        }

        @Test func oneThatIsCancelledSaysThat() async {
            let operation = CKAcceptSharesOperation()
            operation.acceptSharesResultBlock = { result in
                if case .failure(CKError.operationCancelled) = result { note("cancelled") }
            }
            operation.cancel()
            #expect(await run(operation) == ["cancelled", "finished"])
        }
    }
}
