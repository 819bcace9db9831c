import CloudKitWire
import NephosStorage

/// What responses say of shares: members of share records, and of shared ones (docs/protocol.md, "Shares").
struct ShareMembers {
    /// Who reads a record, and what they may see of its share.
    struct Reader {
        var user: UserID?
        /// The owner of the zone.
        var owner: UserID?
        /// What the reader sees of the zone; nil for its owner.
        var reach: Reach?

        /// Whether they see all participants of a share: its owner does, and administrators.
        func seesAll(of share: RecordRow) -> Bool {
            reach.map { $0.membership(of: share.share)?.role == .administrator } ?? true
        }
    }

    private let key: [UInt8]
    private let reader: Reader
    private let zone: ZoneIdentity

    init(_ zone: ZoneAddress, _ context: RequestContext) {
        self.init(
            zone.identity, Reader(user: context.caller.user, owner: zone.owner, reach: zone.reach),
            key: context.signingKey)
    }

    init(_ zone: ZoneIdentity, _ reader: Reader, key: [UInt8]) {
        (self.zone, self.reader, self.key) = (zone, reader, key)
    }

    /// The members of a record, with a comma before each; nil for a record that has nothing to do with a share.
    func of(_ row: RecordRow) -> [UInt8]? {
        // The brace of the object is left out.
        if row.flags.contains(.share), let list = ShareList(of: row.fields) {
            var writer = JSONWriter()
            writer.beginObject()
            writeShare(row, list, to: &writer)
            return [UInt8(ascii: ",")] + writer.bytes.dropFirst()
        }
        if row.flags.contains(.shareRoot), let name = ReservedFields.text(ReservedFields.share, in: row.fields) {
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("share")
            writer.beginObject()
            writer.member("recordName", name)
            writer.member("zoneID", raw: ZoneIDDictionary.encoded(zoneName: zone.name, owner: zone.owner))
            writer.endObject()
            return [UInt8(ascii: ",")] + writer.bytes.dropFirst()
        }
        return nil
    }

    private func writeShare(_ row: RecordRow, _ list: ShareList, to writer: inout JSONWriter) {
        let address = ShareAddress(database: row.database, zone: row.zone, root: list.rootNumber)
        if let text = try? address.text(key: key) { writer.member("shortGUID", text) }
        writer.member("publicPermission", list.publicPermission.word)
        let owner = Shown(owner: reader.owner)
        let seesAll = reader.seesAll(of: row)
        let own = reader.user.flatMap { user in user == reader.owner ? owner : shown(user, in: list, row) }
        let all = seesAll ? [owner] + list.participants.map(Shown.init) : [owner] + (own.map { [$0] } ?? [])
        writer.key("participants")
        writer.beginArray()
        for participant in all { participant.write(to: &writer, showsLookup: seesAll) }
        writer.endArray()
        writer.key("owner")
        owner.write(to: &writer, showsLookup: false)
        if let own {
            writer.key("currentUserParticipant")
            own.write(to: &writer, showsLookup: false)
        }
    }

    /// The reader as a participant, or as somebody who visits a public share.
    private func shown(_ user: UserID, in list: ShareList, _ row: RecordRow) -> Shown? {
        if let index = list.index(of: user) { return Shown(list.participants[index]) }
        let membership = reader.reach?.memberships.first { $0.share == row.share || $0.root == 0 }
        let permission = membership.flatMap { $0.since > 0 ? $0.permission : nil }
        return permission.map { Shown(visitor: user, $0) }
    }

    /// A participant of a response.
    private struct Shown {
        var id: String
        var user: UserID?
        var emailAddress = ""
        var type: String
        var permission: ParticipantRow.Permission
        var hasAccepted: Bool

        init(_ participant: ShareList.Participant) {
            id = participant.id
            (user, emailAddress) = (participant.user, participant.emailAddress)
            type = participant.role == .administrator ? "ADMINISTRATOR" : "USER"
            (permission, hasAccepted) = (participant.permission, participant.hasAccepted)
        }

        init(owner: UserID?) {
            (id, user, type, permission, hasAccepted) = (owner?.recordName ?? "", owner, "OWNER", .readWrite, true)
        }

        init(visitor: UserID, _ permission: ParticipantRow.Permission) {
            (id, user, type, hasAccepted) = (visitor.recordName, visitor, "PUBLIC_USER", true)
            self.permission = permission
        }

        func write(to writer: inout JSONWriter, showsLookup: Bool) {
            writer.beginObject()
            writer.member("participantId", id)
            writer.key("userIdentity")
            writer.beginObject()
            if let user { writer.member("userRecordName", user.recordName) }
            if showsLookup, user != nil || !emailAddress.isEmpty {
                writer.key("lookupInfo")
                writer.beginObject()
                if emailAddress.isEmpty {
                    if let user { writer.member("userRecordName", user.recordName) }
                } else {
                    writer.member("emailAddress", emailAddress)
                }
                writer.endObject()
            }
            writer.endObject()
            writer.member("type", type)
            writer.member("acceptanceStatus", hasAccepted ? "ACCEPTED" : "INVITED")
            writer.member("permission", permission.word)
            writer.endObject()
        }
    }
}

extension ParticipantRow.Permission {
    /// In the protocol.
    package var word: String { self == .readOnly ? "READ_ONLY" : "READ_WRITE" }

    init?(word: Name) {
        switch word.text {
        case "READ_ONLY": self = .readOnly
        case "READ_WRITE": self = .readWrite
        default: return nil
        }
    }
}

extension ShareRow.PublicPermission {
    /// In the protocol.
    package var word: String {
        switch self {
        case .none: "NONE"
        case .readOnly: "READ_ONLY"
        case .readWrite: "READ_WRITE"
        }
    }

    init?(word: Name) {
        switch word.text {
        case "NONE": self = .none
        case "READ_ONLY": self = .readOnly
        case "READ_WRITE": self = .readWrite
        default: return nil
        }
    }
}
