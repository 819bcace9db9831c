import CloudKitWire
import Foundation

/// The members of a share record in a response, while the record is read.
struct ShareReader {
    private var guid: String?
    private var publicPermission = CKShare.ParticipantPermission.none
    private var participants: [CKShareParticipant] = []
    private var owner: CKShareParticipant?

    /// Reads a member. - Returns: Whether it is one of a share record.
    mutating func read(_ reader: inout JSONReader, _ key: JSONKey, _ viewer: Viewer) throws(WireError) -> Bool {
        switch key {
        case "shortGUID": guid = try reader.readText()
        case "publicPermission": publicPermission = .init(word: try reader.readText())
        case "participants":
            participants = try reader.readElements { reader throws(WireError) in
                try CKShareParticipant(&reader, viewer)
            }
        case "owner": owner = try CKShareParticipant(&reader, viewer)
        default: return false
        }
        return true
    }

    func contents(in zone: CKRecordZoneID, _ viewer: Viewer) -> ShareContents {
        var contents = ShareContents(zone: zone)
        contents.publicPermission = publicPermission
        contents.url = guid.flatMap { viewer.shareURL($0) }
        if let owner = owner ?? participants.first(where: { $0.role == .owner }) { contents.owner = owner }
        contents.others = participants.filter { $0.role != .owner }
        return contents
    }
}

extension CKShareParticipant {
    convenience init(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) {
        var (id, identity, members): (String?, CKUserIdentity?, Members) = (nil, nil, Members())
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "participantId": id = try reader.readText()
            case "type": members.role = .init(word: try reader.readText())
            case "acceptanceStatus": members.acceptanceStatus = .init(word: try reader.readText())
            case "permission": members.permission = .init(word: try reader.readText())
            case "userIdentity": identity = try CKUserIdentity(&reader, viewer)
            default: break
            }
        }
        guard let id else { throw WireError("a participant has no participantId") }
        self.init(identity ?? CKUserIdentity(hasAccount: false), members, participantID: id)
    }
}

extension CKUserIdentity {
    convenience init(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) {
        var (user, info, name): (CKRecordID?, CKUserIdentityLookupInfo?, PersonNameComponents?) = (nil, nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "userRecordName": user = viewer.id(ofUser: try reader.readText())
            case "lookupInfo":
                try reader.readMembers { reader, key throws(WireError) in
                    switch key {
                    case "emailAddress": info = CKUserIdentityLookupInfo(emailAddress: try reader.readText())
                    case "phoneNumber": info = CKUserIdentityLookupInfo(phoneNumber: try reader.readText())
                    case "userRecordName":
                        let id = viewer.id(ofUser: try reader.readText())
                        if info == nil { info = CKUserIdentityLookupInfo(userRecordID: id) }
                    default: break
                    }
                }
            case "nameComponents":
                var components = PersonNameComponents()
                try reader.readMembers { reader, key throws(WireError) in
                    switch key {
                    case "givenName": components.givenName = try reader.readText()
                    case "familyName": components.familyName = try reader.readText()
                    default: break
                    }
                }
                name = components
            default: break
            }
        }
        self.init(userRecordID: user, lookupInfo: info, nameComponents: name, hasAccount: user != nil)
    }
}

extension Viewer {
    func id(ofUser name: String) -> CKRecordID {
        CKRecordID(recordName: name == user ? CKCurrentUserDefaultName : name)
    }

    /// The URL of a share; nil if no server is set.
    fileprivate func shareURL(_ guid: String) -> URL? { sharesAt.flatMap { URL(string: $0 + guid) } }
}

// MARK: Words of the protocol

extension CKShare.ParticipantPermission {
    init(word: String) {
        switch word {
        case "NONE": self = .none
        case "READ_ONLY": self = .readOnly
        case "READ_WRITE": self = .readWrite
        default: self = .unknown
        }
    }

    /// nil if it is unknown.
    var word: String? {
        switch self {
        case .unknown: nil
        case .none: "NONE"
        case .readOnly: "READ_ONLY"
        case .readWrite: "READ_WRITE"
        }
    }
}

extension CKShare.ParticipantRole {
    init(word: String) {
        switch word {
        case "OWNER": self = .owner
        case "ADMINISTRATOR": self = .administrator
        case "USER", "PRIVATE_USER": self = .privateUser
        case "PUBLIC_USER": self = .publicUser
        default: self = .unknown
        }
    }
}

extension CKShare.ParticipantAcceptanceStatus {
    init(word: String) {
        switch word {
        case "INVITED", "PENDING": self = .pending
        case "ACCEPTED": self = .accepted
        case "REMOVED": self = .removed
        default: self = .unknown
        }
    }
}
