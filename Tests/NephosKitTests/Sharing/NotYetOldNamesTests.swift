import CloudKit
import Testing

@testable import NephosKit
@testable import NephosTransport

extension NotYetTests {
    /// Programs with old names compile; the compiler reports that they are old.
    @Suite struct OldNamesTests {
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
}
