import CloudKit
import Testing

@testable import NephosKit

private let server = URL(string: "http://127.0.0.1:9")
private let container = CKContainer(
    identifier: "iCloud.test", configuration: NephosConfiguration(serverURL: server, webAuthToken: "somebody"))
private let strangers = CKContainer(identifier: "iCloud.test", configuration: NephosConfiguration(serverURL: server))

private let zoneID = CKRecordZone.ID(zoneName: "Notes")
private func userID(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name) }
private func person(_ name: String) -> CKUserIdentity {
    let lookupInfo = CKUserIdentityLookupInfo(emailAddress: "\(name)@example.com")
    return CKUserIdentity(userRecordID: userID("_\(name)"), lookupInfo: lookupInfo, hasAccount: true)
}
private func participant(
    _ name: String, _ role: CKShare.ParticipantRole = .privateUser,
    _ status: CKShare.ParticipantAcceptanceStatus = .pending
) -> CKShare.Participant {
    let members = CKShareParticipant.Members(role: role, permission: .readOnly, acceptanceStatus: status)
    return CKShareParticipant(person(name), members)
}
private func metadata(of share: CKShare = CKShare(recordZoneID: zoneID)) -> CKShare.Metadata {
    CKShareMetadata(
        containerIdentifier: "iCloud.test", share: share, participant: participant("ann", .administrator).members,
        rootRecordID: share.shared.rootRecordID)
}
private func archived<Value: NSObject & NSCoding>(_ value: Value) throws -> Value? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data)
}

/// What an error says, if it is the one that says that something is not there.
private func reason(_ error: (any Error)?) -> String {
    guard let error = error as? CKError, error.code == .serverRejectedRequest else { return "another: \(error as Any)" }
    return error.localizedDescription
}
private func reason<Value>(_ body: () async throws -> Value) async -> String {
    do {
        return "no error, but \(try await body())"
    } catch {
        return reason(error)
    }
}
private func reason<Value>(of start: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void) async -> String {
    await withCheckedContinuation { continuation in
        start { value, error in continuation.resume(returning: value == nil ? reason(error) : "a value") }
    }
}
private func reason<Value>(
    ofResult start: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async -> String {
    await withCheckedContinuation { continuation in
        start { result in continuation.resume(returning: reason(result.failure)) }
    }
}

/// Operations that fail say what is missing, once and in order, and call no block of an item (docs/client.md, "Sharing").
@Suite struct NotYetOperationTests {
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
        let reason = "sharing is not there yet: \(what.rawValue)"
        return ["result: \(reason)", "old: \(reason)", "finished"]
    }

    @available(*, deprecated, message: "It sets old blocks too.")
    @Test func acceptingShares() async {
        let operation = CKAcceptSharesOperation(shareMetadatas: [metadata()])
        operation.perShareResultBlock = { _, _ in note("item") }
        operation.perShareCompletionBlock = { _, _, _ in note("item") }
        operation.acceptSharesResultBlock = { note($0) }
        operation.acceptSharesCompletionBlock = { note($0) }
        #expect(operation.shareMetadatas?.count == 1 && CKAcceptSharesOperation().shareMetadatas == nil)
        #expect(operation.perShareCompletionBlock != nil && operation.acceptSharesCompletionBlock != nil)
        #expect(await run(operation) == says(.accepting))
    }

    @available(*, deprecated, message: "It sets old blocks too.")
    @Test func fetchingWhatAddressesLeadTo() async throws {
        let operation = CKFetchShareMetadataOperation(shareURLs: [try #require(server)])
        #expect(!operation.shouldFetchRootRecord && operation.rootRecordDesiredKeys == nil)
        operation.shouldFetchRootRecord = true
        operation.rootRecordDesiredKeys = ["title"]
        operation.perShareMetadataResultBlock = { _, _ in note("item") }
        operation.perShareMetadataBlock = { _, _, _ in note("item") }
        operation.fetchShareMetadataResultBlock = { note($0) }
        operation.fetchShareMetadataCompletionBlock = { note($0) }
        #expect(operation.shareURLs?.first == server && CKFetchShareMetadataOperation().shareURLs == nil)
        #expect(operation.perShareMetadataBlock != nil && operation.fetchShareMetadataCompletionBlock != nil)
        #expect(await run(operation) == says(.metadata))
    }

    @available(*, deprecated, message: "It sets old blocks too.")
    @Test func fetchingParticipants() async {
        let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: [.init(emailAddress: "a@b.c")])
        operation.perShareParticipantResultBlock = { _, _ in note("item") }
        operation.shareParticipantFetchedBlock = { _ in note("item") }
        operation.fetchShareParticipantsResultBlock = { note($0) }
        operation.fetchShareParticipantsCompletionBlock = { note($0) }
        #expect(operation.userIdentityLookupInfos?.first?.emailAddress == "a@b.c")
        #expect(CKFetchShareParticipantsOperation().userIdentityLookupInfos == nil)
        #expect(operation.shareParticipantFetchedBlock != nil)
        #expect(operation.fetchShareParticipantsCompletionBlock != nil)
        #expect(await run(operation) == says(.participants))
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
            (changes, "a list of past notifications"), (read, "marking notifications as read"),
            (badge, "a badge that the server keeps"),
        ] {
            log.value = []
            let reason = "\(what): Apple's service dropped it; fetch changes instead"
            #expect(await run(operation) == ["old: \(reason)", "finished"])
        }
        #expect(CKFetchNotificationChangesOperation().previousServerChangeToken == nil)
        #expect(CKMarkNotificationsReadOperation().notificationIDs.isEmpty && CKModifyBadgeOperation().badgeValue == 0)
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

/// Functions of containers that fail say what is missing, to blocks and to `async` alike (docs/client.md, "Sharing").
@Suite struct NotYetContainerTests {
    private func says(_ what: NotYet) -> String { "sharing is not there yet: \(what.rawValue)" }

    private let id = userID("_ann")
    private let email = "ann@example.com"
    private let phone = "+49 1"

    @Test func participantsOneByOne() async {
        let text = says(.participants)
        #expect(
            await reason { container.fetchShareParticipant(withEmailAddress: email, completionHandler: $0) } == text)
        #expect(await reason { container.fetchShareParticipant(withPhoneNumber: phone, completionHandler: $0) } == text)
        #expect(await reason { container.fetchShareParticipant(withUserRecordID: id, completionHandler: $0) } == text)
        #expect(await reason { try await container.shareParticipant(forEmailAddress: email) } == text)
        #expect(await reason { try await container.shareParticipant(forPhoneNumber: phone) } == text)
        #expect(await reason { try await container.shareParticipant(forUserRecordID: id) } == text)
    }

    @Test func manyParticipants() async {
        let text = says(.participants)
        #expect(
            await reason(ofResult: {
                container.fetchShareParticipants(forEmailAddresses: [email], completionHandler: $0)
            }) == text)
        #expect(
            await reason(ofResult: {
                container.fetchShareParticipants(forPhoneNumbers: [phone], completionHandler: $0)
            }) == text)
        #expect(
            await reason(ofResult: {
                container.fetchShareParticipants(forUserRecordIDs: [id], completionHandler: $0)
            }) == text)
        #expect(await reason { try await container.shareParticipants(forEmailAddresses: [email]) } == text)
        #expect(await reason { try await container.shareParticipants(forPhoneNumbers: [phone]) } == text)
        #expect(await reason { try await container.shareParticipants(forUserRecordIDs: [id]) } == text)
        #expect(await reason { try await container.shareParticipants(for: [.init(userRecordID: id)]) } == text)
    }

    @Test func addressesOfSharesAndTakingPart() async throws {
        let (url, metadata) = (try #require(server), metadata())
        let text = says(.metadata)
        #expect(await reason(of: { container.fetchShareMetadata(with: url, completionHandler: $0) }) == text)
        #expect(await reason { try await container.shareMetadata(for: url) } == text)
        #expect(await reason(ofResult: { container.fetchShareMetadatas(for: [url], completionHandler: $0) }) == text)
        #expect(await reason { try await container.shareMetadatas(for: [url]) } == text)
        let accepting = says(.accepting)
        #expect(await reason(of: { container.accept(metadata, completionHandler: $0) }) == accepting)
        #expect(await reason { try await container.accept(metadata) } == accepting)
        #expect(await reason(ofResult: { container.accept([metadata], completionHandler: $0) }) == accepting)
        #expect(await reason { try await container.accept([metadata]) } == accepting)
        #expect(await reason { try await container.requestShareAccess(for: [url]) } == says(.accessRequests))
    }

    @available(*, deprecated, message: "All of it is old.")
    @Test func findingOnePerson() async {
        let text = says(.discovery)
        #expect(await reason(of: { container.discoverAllIdentities(completionHandler: $0) }) == text)
        #expect(await reason { try await container.allUserIdentitiesFromContacts() } == text)
        #expect(
            await reason(of: { container.discoverUserIdentity(withEmailAddress: email, completionHandler: $0) }) == text
        )
        #expect(
            await reason(of: { container.discoverUserIdentity(withPhoneNumber: phone, completionHandler: $0) }) == text)
        #expect(
            await reason(of: { container.discoverUserIdentity(withUserRecordID: id, completionHandler: $0) }) == text)
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
        for what in NotYet.allCases { #expect(reason(what.error).hasPrefix("sharing is not there yet: no")) }
        for what in Dropped.allCases {
            #expect(reason(what.error).hasSuffix("Apple's service dropped it; fetch changes instead"))
        }
    }
}

extension CKShare {
    fileprivate func makePublic() -> CKShare {
        publicPermission = .readOnly
        return self
    }
}

/// What a share is before it is saved (docs/client.md, "Sharing").
@Suite struct NotYetShareTests {
    private let root = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "a", zoneID: zoneID))

    @Test func aShareIsInTheZoneOfItsRootWhichKnowsOfIt() {
        let share = CKShare(rootRecord: root)
        #expect(share.recordType == CKRecord.SystemType.share && share.recordID.zoneID == zoneID)
        #expect(share.recordID.recordName.hasPrefix("Share-") && share.url == nil && share.recordChangeTag == nil)
        #expect(root.share == CKRecord.Reference(record: share, action: .none) && root.changedKeys().isEmpty)
        #expect(share.publicPermission == .none && share.requesters.isEmpty && share.blockedIdentities.isEmpty)
        #expect(!share.allowsAccessRequests && share.shared.rootRecordID == root.recordID)
        let named = CKShare(rootRecord: CKRecord(recordType: "Note"), shareID: userID("s"))
        #expect(named.recordID == userID("s") && named.shared.fault == nil)
        let wide = CKShare(recordZoneID: zoneID)
        #expect(wide.recordID == CKRecord.ID(recordName: "cloudkit.zoneshare", zoneID: zoneID))
        #expect(wide.shared.rootRecordID == nil && wide.description == "<CKShare: cloudkit.zoneshare, 1 participants>")
    }

    @Test func itBelongsToWhoseZoneItIs() {
        let share = CKShare(rootRecord: root)
        #expect(share.participants == [share.owner] && share.currentUserParticipant == share.owner)
        #expect(share.owner.role == .owner && share.owner.permission == .readWrite)
        #expect(share.owner.acceptanceStatus == .accepted && share.owner.userIdentity.hasiCloudAccount)
        #expect(share.owner.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName)
        let theirs = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: "_bob"))
        #expect(theirs.owner.userIdentity.userRecordID == userID("_bob") && theirs.currentUserParticipant == nil)
    }

    @Test func itsTitleIsAFieldLikeEveryOther() {
        let share = CKShare(rootRecord: root)
        share[CKShare.SystemFieldKey.title] = "Notes"
        share[CKShare.SystemFieldKey.shareType] = "com.example.notes"
        share[CKShare.SystemFieldKey.thumbnailImageData] = Data([1])
        share["mine"] = 5
        #expect(
            share["cloudkit.title"] as? String == "Notes" && share["cloudkit.type"] as? String == "com.example.notes")
        #expect(share["cloudkit.thumbnailImageData"] as? Data == Data([1]) && share.changedKeys().count == 4)
    }

    @Test func aRecordIsSharedOnce() {
        let first = CKShare(rootRecord: root)
        let second = CKShare(rootRecord: root)
        #expect(root.share?.recordID == first.recordID && first.shared.fault == nil)
        #expect(second.shared.fault?.contains("the record a is shared already: fetch") == true)
    }

    @Test func peopleAreAddedOnceAndRemoved() {
        let share = CKShare(rootRecord: root)
        let ann = participant("ann")
        share.addParticipant(ann)
        let again = CKShareParticipant(CKUserIdentity(lookupInfo: ann.userIdentity.lookupInfo, hasAccount: false))
        again.permission = .readWrite
        again.role = .administrator
        share.addParticipant(again)
        #expect(share.participants == [share.owner, ann] && ann.permission == .readWrite && ann.role == .administrator)
        let byID = CKShareParticipant(
            CKUserIdentity(lookupInfo: .init(userRecordID: userID("_ann")), hasAccount: false))
        byID.permission = .readOnly
        share.addParticipant(byID)
        #expect(share.participants.count == 2 && ann.permission == .readOnly)
        share.addParticipant(share.owner)
        share.participants.last?.permission = .readWrite
        #expect(share.participants.count == 2 && share.participants.last?.permission == .readWrite)
        share.removeParticipant(participant("bob"))
        share.removeParticipant(again)
        #expect(share.participants == [share.owner] && share.shared.fault == nil)
    }

    @Test func oneTimeParticipantsAreNobodyYet() {
        let share = CKShare(rootRecord: root)
        let (first, second) = (CKShare.Participant.oneTimeURLParticipant(), CKShare.Participant.oneTimeURLParticipant())
        share.addParticipant(first)
        share.addParticipant(second)
        #expect(share.participants == [share.owner, first, second] && first != second)
        #expect(first.userIdentity.nameComponents == PersonNameComponents() && first.userIdentity.lookupInfo == nil)
        #expect(first.userIdentity.userRecordID == nil && share.oneTimeURL(for: first.participantID) == nil)
    }

    @Test func invitedAndPublicDoNotMix() {
        let share = CKShare(rootRecord: root)
        let (pending, accepted) = (participant("ann"), participant("bob", .privateUser, .accepted))
        share.addParticipant(pending)
        share.addParticipant(accepted)
        share.publicPermission = .none
        #expect(share.participants.count == 3)
        share.publicPermission = .readWrite
        #expect(share.participants == [share.owner, accepted] && share.publicPermission == .readWrite)
        share.change { $0.others.append(participant("eve", .publicUser, .accepted)) }
        share.publicPermission = .readOnly
        #expect(share.participants.count == 3 && share.shared.fault == nil)
        share.publicPermission = .none
        #expect(share.participants == [share.owner, accepted])
    }

    private typealias Attempt = (reason: String, body: @Sendable (CKShare) -> Void)
    private static let mistakes: [Attempt] = [
        ("cannot be added while everybody", { $0.makePublic().addParticipant(participant("ann")) }),
        ("cannot be removed while everybody", { $0.makePublic().removeParticipant(participant("ann")) }),
        ("owner of a share cannot be removed", { $0.removeParticipant($0.owner) }),
        ("cannot be added as publicUser", { $0.addParticipant(participant("ann", .publicUser)) }),
        ("cannot be added as owner", { $0.addParticipant(participant("ann", .owner)) }),
    ]

    @Test(arguments: mistakes)
    func whatCannotBeChangesNothingAndIsRemembered(_ reason: String, _ body: @Sendable (CKShare) -> Void) {
        let share = CKShare(rootRecord: root)
        body(share)
        #expect(share.participants == [share.owner] && share.shared.fault?.contains(reason) == true)
        share.removeParticipant(share.owner)
        #expect(share.shared.fault?.contains(reason) == true)
    }

    @Test func theOwnerDecidesWhoAskedForAccess() throws {
        let share = CKShare(rootRecord: root)
        share.allowsAccessRequests = true
        let asking = ["ann", "bob", "eve"].map {
            CKShareAccessRequester(person($0), CKUserIdentityLookupInfo(userRecordID: userID("_\($0)")))
        }
        share.change { $0.requesters = asking }
        share.addParticipant(participant("eve"))
        share.denyRequesters([asking[0]])
        #expect(share.requesters == [asking[1], asking[2]] && share.blockedIdentities.isEmpty)
        share.blockRequesters([asking[2]])
        share.blockRequesters([asking[2]])
        #expect(share.requesters == [asking[1]] && share.participants == [share.owner])
        #expect(share.blockedIdentities.map(\.userIdentity) == [person("eve")] && share.allowsAccessRequests)
        share.unblockIdentities(share.blockedIdentities)
        #expect(share.blockedIdentities.isEmpty && share.shared.fault == nil)
    }

    private static let decisions: [Attempt] = [
        ("say whether access may be asked for", { $0.allowsAccessRequests = true }),
        ("deny access", { $0.denyRequesters($0.requesters) }),
        ("block who asks for access", { $0.blockRequesters($0.requesters) }),
        ("let in who was blocked", { $0.unblockIdentities($0.blockedIdentities) }),
    ]

    @Test(arguments: decisions)
    func othersDoNot(_ what: String, _ body: @Sendable (CKShare) -> Void) {
        let share = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: "_bob"))
        share.change {
            $0.requesters = [CKShareAccessRequester(person("ann"), .init(phoneNumber: "1"))]
            $0.blocked = [CKShareBlockedIdentity(person("eve"))]
        }
        body(share)
        #expect(share.shared.fault == "only the owner and administrators of a share may \(what)")
        #expect(share.requesters.count == 1 && share.blockedIdentities.count == 1 && !share.allowsAccessRequests)
        let administrator = CKShareParticipant(
            CKUserIdentity(userRecordID: userID(CKCurrentUserDefaultName), hasAccount: true),
            CKShareParticipant.Members(role: .administrator))
        let other = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: "_bob"))
        other.addParticipant(administrator)
        body(other)
        #expect(other.currentUserParticipant == administrator && other.shared.fault == nil)
    }
}

/// What is archived comes back as it was (docs/client.md, "Archives"), and copies stand on their own.
@Suite struct NotYetValueTests {
    private func share() -> CKShare {
        let share = CKShare(rootRecord: CKRecord(recordType: "Note", recordID: .init(recordName: "a", zoneID: zoneID)))
        share["cloudkit.title"] = "Notes"
        share.addParticipant(participant("ann", .administrator))
        share.change {
            $0.url = server
            $0.requesters = [CKShareAccessRequester(person("bob"), .init(phoneNumber: "1"))]
            $0.blocked = [CKShareBlockedIdentity(person("eve"))]
            $0.allowsAccessRequests = true
        }
        return share
    }

    private func expectSame(_ copy: CKShare, _ share: CKShare) {
        #expect(copy !== share && copy.recordID == share.recordID && copy.recordType == "cloudkit.share")
        #expect(copy.participants == share.participants && copy.owner == share.owner && copy.url == server)
        #expect(copy.requesters == share.requesters && copy.blockedIdentities == share.blockedIdentities)
        #expect(copy.allowsAccessRequests && copy.publicPermission == .none && copy.shared.fault == share.shared.fault)
        #expect(copy.shared.rootRecordID == share.shared.rootRecordID)
        #expect(copy.participants.last?.role == .administrator && copy.currentUserParticipant == share.owner)
        copy.participants.last?.permission = .readWrite
        #expect(share.participants.last?.permission == .readOnly)
    }

    @Test func sharesComeBackWhole() throws {
        let share = share()
        share.removeParticipant(share.owner)
        let copy = try #require(try archived(share))
        #expect(copy["cloudkit.title"] as? String == "Notes" && copy.changedKeys() == ["cloudkit.title"])
        expectSame(copy, share)
        let record: CKRecord? = try archived(share as CKRecord)
        #expect(record is CKShare)
        let second = try #require(share.copy() as? CKShare)
        #expect(second["cloudkit.title"] as? String == "Notes")
        expectSame(second, share)
    }

    private func systemFields(_ record: CKRecord) throws -> NSKeyedUnarchiver {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = true
        return unarchiver
    }

    @Test func systemFieldsOfASharesHoldWhoTakesPart() throws {
        let share = share()
        let copy = CKShare(coder: try systemFields(share))
        #expect(copy.allKeys().isEmpty)
        expectSame(copy, share)
    }

    @available(*, deprecated, message: "It uses old members too.")
    @Test func metadataComesBack() throws {
        let metadata = metadata(of: share())
        for copy in [try #require(try archived(metadata)), try #require(metadata.copy() as? CKShare.Metadata)] {
            #expect(copy.containerIdentifier == "iCloud.test" && copy.share.recordID == metadata.share.recordID)
            #expect(copy.hierarchicalRootRecordID?.recordName == "a" && copy.rootRecordID.recordName == "a")
            #expect(copy.participantRole == .administrator && copy.participantType == .privateUser)
            #expect(copy.participantStatus == .pending && copy.participantPermission == .readOnly)
            #expect(copy.ownerIdentity == copy.share.owner.userIdentity && copy.rootRecord == nil)
        }
        let root = CKRecord(recordType: "Note")
        let withRoot = CKShareMetadata(
            containerIdentifier: "c", share: share(), participant: participant("ann").members, rootRecord: root)
        #expect(try archived(withRoot)?.rootRecord?.recordID == root.recordID)
        let wide = NotYetValueTests.wide
        #expect(wide.hierarchicalRootRecordID == nil && wide.rootRecordID == wide.share.recordID)
        #expect(wide.description == "<CKShareMetadata: \(wide.share), iCloud.test>")
    }

    private static var wide: CKShare.Metadata { metadata() }

    @available(*, deprecated, message: "It uses old members too.")
    @Test func participantsAreEqualWhenTheyTakeTheSamePart() throws {
        let members = CKShareParticipant.Members(
            role: .publicUser, permission: .readWrite, acceptanceStatus: .accepted, isApprovedRequester: true,
            dateAdded: Date(timeIntervalSince1970: 5))
        let participant = CKShareParticipant(person("ann"), members)
        let copy = try #require(participant.copy() as? CKShare.Participant)
        for copy in [try #require(try archived(participant)), copy] {
            #expect(copy == participant && copy.hash == participant.hash && copy.userIdentity == person("ann"))
            #expect(copy.role == .publicUser && copy.permission == .readWrite && copy.acceptanceStatus == .accepted)
            #expect(copy.isApprovedRequester && copy.dateAddedToShare == Date(timeIntervalSince1970: 5))
        }
        copy.permission = .none
        copy.type = .privateUser
        #expect(participant.permission == .readWrite && copy.role == .privateUser && copy.type == .privateUser)
        copy.role = .administrator
        #expect(copy.type == .privateUser && participant.type == .publicUser && copy == participant)
        #expect(CKShareParticipant(person("ann")) != participant && participant.dateAddedToShare != nil)
        #expect(participant.description.contains("_ann"))
    }

    @available(*, deprecated, message: "It uses old members too.")
    @Test func identitiesAndWhatTheyAreFoundByAreValues() throws {
        var name = PersonNameComponents()
        name.givenName = "Ann"
        let infos = [
            CKUserIdentity.LookupInfo(emailAddress: "a"), .init(phoneNumber: "a"), .init(userRecordID: userID("a")),
        ]
        #expect(Set(infos + infos).count == 3 && infos[2].userRecordID == userID("a") && infos[2].phoneNumber == nil)
        #expect(infos[0].emailAddress == "a" && infos[0].userRecordID == nil && infos[1].phoneNumber == "a")
        #expect(CKUserIdentity.LookupInfo.lookupInfos(withEmails: ["a"]) == [infos[0]])
        #expect(CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers: ["a"]) == [infos[1]])
        #expect(CKUserIdentity.LookupInfo.lookupInfos(with: [userID("a")]) == [infos[2]])
        for info in infos {
            let identity = CKUserIdentity(lookupInfo: info, nameComponents: name, hasAccount: false)
            #expect(try archived(info) == info && info.copy() as? CKUserIdentity.LookupInfo == info)
            #expect(try archived(identity) == identity && identity.copy() as? CKUserIdentity == identity)
            #expect(identity.nameComponents?.givenName == "Ann" && identity.contactIdentifiers.isEmpty)
            #expect(identity != CKUserIdentity(lookupInfo: info, nameComponents: name, hasAccount: true))
            #expect(identity.description.contains("a") && info.description.contains("a"))
        }
        let nobody = CKUserIdentity(hasAccount: false)
        #expect(try archived(nobody) == nobody && nobody.description == "<CKUserIdentity: nobody yet>")
        #expect(Set([person("ann"), person("ann"), person("bob"), nobody]).count == 3)
    }

    @Test func whoAskedAndWhoIsBlockedAreValues() throws {
        let ann = CKShareAccessRequester(person("ann"), .init(phoneNumber: "1"))
        let blocked = CKShareBlockedIdentity(person("eve"))
        #expect(try archived(ann) == ann && ann.copy() as? CKShareAccessRequester == ann)
        #expect(try archived(blocked) == blocked && blocked.copy() as? CKShareBlockedIdentity == blocked)
        #expect(Set([ann, CKShareAccessRequester(person("ann"), .init(phoneNumber: "1"))]).count == 1)
        #expect(ann != CKShareAccessRequester(person("ann"), .init(phoneNumber: "2")))
        #expect(Set([blocked, CKShareBlockedIdentity(person("eve"))]).count == 1)
        #expect(blocked.userIdentity == person("eve") && ann.participantLookupInfo.phoneNumber == "1")
    }

    @Test func optionsOfASheetThatIsNotThereAreKept() throws {
        let options = CKAllowedSharingOptions.standard
        #expect(options.allowedParticipantAccessOptions == .any && options.allowedParticipantPermissionOptions == .any)
        #expect(!options.allowsParticipantsToInviteOthers && !options.allowsAccessRequests)
        let copy = try #require(options.copy() as? CKAllowedSharingOptions)
        copy.allowedParticipantAccessOptions = .specifiedRecipientsOnly
        copy.allowedParticipantPermissionOptions = .readOnly
        copy.allowsParticipantsToInviteOthers = true
        copy.allowsAccessRequests = true
        let back = try #require(try archived(copy))
        #expect(back.allowedParticipantAccessOptions.rawValue == 2 && back.allowsAccessRequests)
        #expect(back.allowedParticipantPermissionOptions.rawValue == 1 && back.allowsParticipantsToInviteOthers)
        #expect(options.allowedParticipantAccessOptions.rawValue == 3 && !options.allowsAccessRequests)
        let chosen = CKAllowedSharingOptions(
            allowedParticipantPermissionOptions: .readWrite, allowedParticipantAccessOptions: .anyoneWithLink)
        #expect(chosen.allowedParticipantAccessOptions.rawValue == 1)
        let observer = CKSystemSharingUIObserver(container: container)
        #expect(observer.systemSharingUIDidSaveShareBlock == nil && observer.systemSharingUIDidStopSharingBlock == nil)
        observer.systemSharingUIDidSaveShareBlock = { _, _ in Issue.record("there is no sheet") }
        observer.systemSharingUIDidStopSharingBlock = { _, _ in Issue.record("there is no sheet") }
        #expect(observer.systemSharingUIDidSaveShareBlock != nil && observer.systemSharingUIDidStopSharingBlock != nil)
    }

    private func nothing() throws -> NSKeyedUnarchiver {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode("x" as NSString, forKey: "something")
        archiver.finishEncoding()
        return try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    }

    @Test func archivesOfSomethingElseAreNothing() throws {
        let types: [any (NSObject & NSCoding).Type] = [
            CKShareParticipant.self, CKShareMetadata.self, CKUserIdentity.self, CKUserIdentityLookupInfo.self,
            CKShareAccessRequester.self, CKShareBlockedIdentity.self, CKAllowedSharingOptions.self,
        ]
        for type in types {
            let value = type.init(coder: try nothing())
            #expect(value == nil)
        }
    }

    @Test func anArchiveOfNoShareIsAnEmptyShareThatCannotBeSaved() throws {
        let note = CKShare(coder: try systemFields(CKRecord(recordType: "Note", recordID: userID("a"))))
        #expect(note.recordType == "cloudkit.share" && note.recordID == userID("a"))
        #expect(note.participants == [note.owner] && note.owner.role == .owner)
        #expect(note.shared.fault == "it was read from what is no archive of a share")
        #expect(CKShare(coder: try nothing()).shared.fault == note.shared.fault)
    }
}

/// Programs with old names compile; that they are old is what the compiler says of them there.
@Suite struct NotYetOldNamesTests {
    @available(*, deprecated, message: "It uses old names, which is what it is about.")
    @Test func oldNamesMeanWhatTheyMeant() {
        let statuses: [CKShareParticipantAcceptanceStatus] = [.unknown, .pending, .accepted, .removed]
        let permissions: [CKShareParticipantPermission] = [.unknown, .none, .readOnly, .readWrite]
        let roles: [CKShareParticipantRole] = [.unknown, .owner, .administrator, .privateUser, .publicUser]
        let types: [CKShareParticipantType] = [.unknown, .owner, .privateUser, .publicUser]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3] && permissions.map(\.rawValue) == [0, 1, 2, 3])
        #expect(roles.map(\.rawValue) == [0, 1, 2, 3, 4] && types.map(\.rawValue) == [0, 1, 3, 4])
        let status: CKShare_Participant_AcceptanceStatus = CKShare.Participant.AcceptanceStatus.pending
        let permission: CKShare_Participant_Permission = CKShare.Participant.Permission.readOnly
        let role: CKShare_Participant_Role = CKShare.Participant.Role.owner
        #expect(status == .pending && permission == .readOnly && role == .owner)
        #expect([CKShareTitleKey, CKShareTypeKey] == ["cloudkit.title", "cloudkit.type"])
        #expect(CKShareThumbnailImageDataKey == "cloudkit.thumbnailImageData")
        let info: CKUserIdentityLookupInfo = CKUserIdentity.LookupInfo(emailAddress: "a")
        let owner: CKShareParticipant = CKShare(recordZoneID: zoneID).owner
        let metadata: CKShareMetadata = metadata()
        #expect(info.emailAddress == "a" && owner.role == .owner && metadata.participantRole == .administrator)
    }

    @available(*, deprecated, message: "It uses old names, which is what it is about.")
    @Test func oldNamesOfPermissions() {
        let permissions: CKApplicationPermissions = CKContainer.Application.Permissions.userDiscoverability
        let between: CKContainer_Application_Permissions = permissions
        #expect(between.rawValue == 1)
        let status: CKApplicationPermissionStatus = CKContainer.Application.PermissionStatus.initialState
        let same: CKContainer_Application_PermissionStatus = status
        #expect(same.rawValue == 0 && CKContainer.ApplicationPermissionStatus.denied.rawValue == 2)
        let told = Locked(0)
        let block: CKApplicationPermissionBlock = { status, _ in told.value += status.rawValue }
        let blocks: [CKContainer.Application.PermissionBlock] = [
            block, block as CKContainer_Application_PermissionBlock,
        ]
        for block in blocks { block(.granted, nil) }
        #expect(told.value == 6)
    }
}
