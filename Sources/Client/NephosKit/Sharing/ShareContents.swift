import Foundation

/// What a share holds beside the record that it is.
struct ShareContents: Sendable {
    var publicPermission = CKShare.ParticipantPermission.none
    var url: URL?
    var owner: CKShareParticipant
    /// All but the owner.
    var others: [CKShareParticipant] = []
    var requesters: [CKShareAccessRequester] = []
    var blocked: [CKShareBlockedIdentity] = []
    var allowsAccessRequests = false
    /// Nil for the share of a zone.
    var rootRecordID: CKRecordID?
    /// What was done that cannot be: Apple's framework stops the program for it. The share must not be saved then.
    var fault: String?

    var participants: [CKShareParticipant] { [owner] + others }

    var currentUser: CKShareParticipant? {
        participants.first { $0.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName }
    }

    /// Of a share that was not saved yet: nobody takes part but whose zone it is.
    init(zone: CKRecordZoneID, root: CKRecordID? = nil) {
        owner = CKShareParticipant(
            CKUserIdentity(userRecordID: CKRecordID(recordName: zone.ownerName), hasAccount: true),
            CKShareParticipant.Members(role: .owner, permission: .readWrite, acceptanceStatus: .accepted))
        rootRecordID = root
    }

    /// With participants of its own.
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

    /// - Parameter zone: Where the share is. Its owner takes part even if the archive does not say so.
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
