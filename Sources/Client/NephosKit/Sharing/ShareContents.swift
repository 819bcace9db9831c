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

extension ShareContents {
    func encode(with coder: NSCoder) {
        coder.encode(publicPermission.rawValue, forKey: "publicPermission")
        coder.encodeIfAny(url.map { $0 as NSURL }, forKey: "url")
        coder.encode(NSArray(array: participants), forKey: "participants")
        coder.encode(NSArray(array: requesters), forKey: "requesters")
        coder.encode(NSArray(array: blocked), forKey: "blocked")
        coder.encode(allowsAccessRequests, forKey: "allowsAccessRequests")
        coder.encodeIfAny(rootRecordID, forKey: "rootRecordID")
        coder.encodeIfAny(fault.map { $0 as NSString }, forKey: "fault")
    }

    /// - Parameter zone: The zone of the share. Its owner takes part even if the archive contains no participants.
    init(coder: NSCoder, zone: CKRecordZoneID) {
        func objects<Object: NSObject & NSSecureCoding>(_ type: Object.Type, _ key: String) -> [Object] {
            guard coder.containsValue(forKey: key) else { return [] }
            return coder.decodeObject(of: [NSArray.self, type], forKey: key) as? [Object] ?? []
        }
        self.init(zone: zone, root: coder.decodeIfAny(CKRecordID.self, forKey: "rootRecordID"))
        let participants = objects(CKShareParticipant.self, "participants")
        if let first = participants.first { owner = first }
        others = Array(participants.dropFirst())
        requesters = objects(CKShareAccessRequester.self, "requesters")
        blocked = objects(CKShareBlockedIdentity.self, "blocked")
        allowsAccessRequests = coder.decodeBool(forKey: "allowsAccessRequests")
        publicPermission = .init(rawValue: coder.decodeInteger(forKey: "publicPermission")) ?? .unknown
        url = coder.decodeIfAny(NSURL.self, forKey: "url").map { $0 as URL }
        fault = coder.decodeString(forKey: "fault")
    }
}
