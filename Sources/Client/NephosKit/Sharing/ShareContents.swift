import CloudKitWire
import Foundation

/// What a share contains beyond the contents of its record.
struct ShareContents: Sendable {
    var publicPermission = CKShare.ParticipantPermission.none
    var url: URL?
    var owner: CKShareParticipant
    /// All participants except the owner.
    var others: [CKShareParticipant] = []
    var requesters: [CKShareAccessRequester] = []
    var blocked: [CKShareBlockedIdentity] = []
    var allowsAccessRequests = false
    /// The ID of the root record; nil for a share of a whole zone.
    var rootRecordID: CKRecordID?
    /// The reason why a call was invalid; Apple's framework stops the program for such a call. A share with a fault
    /// cannot be saved.
    var fault: String?

    var participants: [CKShareParticipant] { [owner] + others }

    var currentUser: CKShareParticipant? {
        participants.first { $0.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName }
    }

    /// Creates the contents of a share that was not saved yet. The only participant is the owner of the zone.
    init(zone: CKRecordZoneID, root: CKRecordID? = nil) {
        owner = CKShareParticipant(
            CKUserIdentity(userRecordID: CKRecordID(recordName: zone.ownerName), hasAccount: true),
            CKShareParticipant.Members(role: .owner, permission: .readWrite, acceptanceStatus: .accepted))
        rootRecordID = root
    }

    /// Takes over what the service has stored. - Parameter answer: The share in its response.
    mutating func saved(_ answer: ShareContents) {
        let root = rootRecordID
        self = answer
        rootRecordID = root
    }

    /// An independent copy, with copies of the participants.
    var copy: ShareContents {
        func copied(_ participant: CKShareParticipant) -> CKShareParticipant {
            CKShareParticipant(
                participant.userIdentity, participant.members, participantID: participant.participantID)
        }
        var copy = self
        copy.owner = copied(owner)
        copy.others = others.map(copied)
        return copy
    }
}

// MARK: Archives

extension ShareContents: Archived {
    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.archive("publicPermission", publicPermission.rawValue)
        writer.archive("url", url?.absoluteString)
        writer.archive("owner", owner)
        writer.archive("others", others)
        writer.archive("requesters", requesters)
        writer.archive("blocked", blocked)
        writer.archive("allowsAccessRequests", allowsAccessRequests)
        writer.archive("rootRecordID", rootRecordID)
        writer.archive("fault", fault)
        writer.endObject()
    }

    init(archive reader: inout JSONReader) throws(WireError) {
        var found: CKShareParticipant?
        self.init(zone: .default)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "publicPermission": publicPermission = .init(rawValue: try reader.archived()) ?? .unknown
            case "url": url = URL(string: try reader.archived())
            case "owner": found = try reader.archived()
            case "others": others = try reader.archived()
            case "requesters": requesters = try reader.archived()
            case "blocked": blocked = try reader.archived()
            case "allowsAccessRequests": allowsAccessRequests = try reader.archived()
            case "rootRecordID": rootRecordID = try reader.archived()
            case "fault": fault = try reader.archived()
            default: break
            }
        }
        guard let found else { throw WireError("a share has no owner") }
        owner = found
    }
}
