import CloudKit
import Testing

@testable import NephosKit

extension NotYetTests {
    /// Archived values are restored unchanged (docs/client.md, "Archives"), and copies are independent.
    @Suite struct ValueTests {
        private func share() -> CKShare {
            let share = CKShare(
                rootRecord: CKRecord(recordType: "Note", recordID: .init(recordName: "a", zoneID: zoneID)))
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
            #expect(
                copy.allowsAccessRequests && copy.publicPermission == .none && copy.shared.fault == share.shared.fault)
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
            let wide = Self.wide
            #expect(wide.hierarchicalRootRecordID == nil && wide.rootRecordID == wide.share.recordID)
            #expect(wide.description == "<CKShareMetadata: \(wide.share), iCloud.test>")
        }

        private static var wide: CKShare.Metadata { metadata() }

        @Test("Participants are equal when they are the same person: by ID, user record or lookup information")
        func samePerson() {
            let ann = CKShareParticipant(person("ann"), .init(role: .owner))
            let mail = CKUserIdentity(lookupInfo: .init(emailAddress: "ann@example.com"), hasAccount: false)
            let record = CKUserIdentity(userRecordID: userID("_ann"), hasAccount: true)
            for other in [person("ann"), mail, record].map({ CKShareParticipant($0, .init(permission: .readOnly)) }) {
                #expect(ann == other && ann.hash == other.hash && [other].contains(ann))
            }
            #expect(ann != CKShareParticipant(person("bob")))
            #expect(CKShareParticipant.oneTimeURLParticipant() != CKShareParticipant.oneTimeURLParticipant())
        }

        @available(*, deprecated, message: "It uses old members too.")
        @Test func copiesOfParticipantsTakeTheSamePart() throws {
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
            #expect(CKShareParticipant(person("bob")) != participant && participant.dateAddedToShare != nil)
            #expect(participant.description.contains("_ann"))
        }

        @available(*, deprecated, message: "It uses old members too.")
        @Test func identitiesAndWhatTheyAreFoundByAreValues() throws {
            var name = PersonNameComponents()
            name.givenName = "Ann"
            let infos = [
                CKUserIdentity.LookupInfo(emailAddress: "a"), .init(phoneNumber: "a"), .init(userRecordID: userID("a")),
            ]
            #expect(
                Set(infos + infos).count == 3 && infos[2].userRecordID == userID("a") && infos[2].phoneNumber == nil)
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
            #expect(try archived(nobody) == nobody && nobody.description == "<CKUserIdentity: unknown user>")
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
            #expect(
                options.allowedParticipantAccessOptions == .any && options.allowedParticipantPermissionOptions == .any)
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
            #expect(
                observer.systemSharingUIDidSaveShareBlock == nil && observer.systemSharingUIDidStopSharingBlock == nil)
            observer.systemSharingUIDidSaveShareBlock = { _, _ in Issue.record("there is no sheet") }
            observer.systemSharingUIDidStopSharingBlock = { _, _ in Issue.record("there is no sheet") }
            #expect(
                observer.systemSharingUIDidSaveShareBlock != nil && observer.systemSharingUIDidStopSharingBlock != nil)
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
            #expect(note.shared.fault == "the share was decoded from data that is not an archive of a share")
            #expect(CKShare(coder: try nothing()).shared.fault == note.shared.fault)
        }
    }
}
