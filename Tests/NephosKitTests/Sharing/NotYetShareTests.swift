import CloudKit
import Testing

@testable import NephosKit

extension NotYetTests {
    /// A share before it is saved (docs/client.md, "Sharing").
    @Suite struct ShareTests {
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
            #expect(
                wide.shared.rootRecordID == nil && wide.description == "<CKShare: cloudkit.zoneshare, 1 participants>")
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
                share["cloudkit.title"] as? String == "Notes"
                    && share["cloudkit.type"] as? String == "com.example.notes")
            #expect(share["cloudkit.thumbnailImageData"] as? Data == Data([1]) && share.changedKeys().count == 4)
        }

        @Test func aRecordIsSharedOnce() {
            let first = CKShare(rootRecord: root)
            let second = CKShare(rootRecord: root)
            #expect(root.share?.recordID == first.recordID && first.shared.fault == nil)
            #expect(second.shared.fault?.contains("the record a is already shared: fetch") == true)
        }

        @Test func peopleAreAddedOnceAndRemoved() {
            let share = CKShare(rootRecord: root)
            let ann = participant("ann")
            share.addParticipant(ann)
            let again = CKShareParticipant(CKUserIdentity(lookupInfo: ann.userIdentity.lookupInfo, hasAccount: false))
            again.permission = .readWrite
            again.role = .administrator
            share.addParticipant(again)
            #expect(
                share.participants == [share.owner, ann] && ann.permission == .readWrite && ann.role == .administrator)
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
            let (first, second) = (
                CKShare.Participant.oneTimeURLParticipant(), CKShare.Participant.oneTimeURLParticipant()
            )
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
            ("cannot be added while the share is public", { $0.makePublic().addParticipant(participant("ann")) }),
            ("cannot be removed while the share is public", { $0.makePublic().removeParticipant(participant("ann")) }),
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
            ("change whether access can be requested", { $0.allowsAccessRequests = true }),
            ("deny access", { $0.denyRequesters($0.requesters) }),
            ("block requesters of access", { $0.blockRequesters($0.requesters) }),
            ("unblock users", { $0.unblockIdentities($0.blockedIdentities) }),
        ]

        @Test(arguments: decisions)
        func othersDoNot(_ what: String, _ body: @Sendable (CKShare) -> Void) {
            let share = CKShare(recordZoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: "_bob"))
            share.change {
                $0.requesters = [CKShareAccessRequester(person("ann"), .init(phoneNumber: "1"))]
                $0.blocked = [CKShareBlockedIdentity(person("eve"))]
            }
            body(share)
            #expect(share.shared.fault == "only the owner and administrators of a share can \(what)")
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
}

extension CKShare {
    fileprivate func makePublic() -> CKShare {
        publicPermission = .readOnly
        return self
    }
}
