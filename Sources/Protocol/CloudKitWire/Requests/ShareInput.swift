/// What a request says of a share, besides the fields of its record (docs/protocol.md, "Shares"). Names share the request's memory.
public final class ShareInput: Sendable {
    /// The record that is shared: `forRecord`.
    public let root: Name?
    /// The change tag that it has.
    public let rootChangeTag: Name?
    public let publicPermission: Name?
    /// All participants; nil if they stay as they are.
    public let participants: [ParticipantInput]?

    init(_ members: ShareMembers) {
        root = members.root
        rootChangeTag = members.rootChangeTag
        publicPermission = members.publicPermission
        participants = members.participants
    }
}

/// A participant of a share, as a request names it. Everything that it does not name is empty.
public struct ParticipantInput: Sendable {
    public var id: Name?
    public var type: Name?
    public var permission: Name?
    /// `userRecordName` of the identity, or of what it was looked up by.
    public var user: Name?
    public var emailAddress: Name?
    public var phoneNumber: Name?

    init(_ reader: inout JSONReader) throws(WireError) {
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "participantId": id = try reader.readName()
            case "type": type = try reader.readName()
            case "permission": permission = try reader.readName()
            case "userIdentity": try readIdentity(&reader)
            default: break
            }
        }
    }

    private mutating func readIdentity(_ reader: inout JSONReader) throws(WireError) {
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "userRecordName": user = try reader.readName()
            case "lookupInfo": try readLookupInfo(&reader)
            default: break
            }
        }
    }

    private mutating func readLookupInfo(_ reader: inout JSONReader) throws(WireError) {
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "userRecordName": if user == nil { user = try reader.readName() }
            case "emailAddress": emailAddress = try reader.readName()
            case "phoneNumber": phoneNumber = try reader.readName()
            default: break
            }
        }
    }
}

/// The members of a record that concern a share, while the record is read.
struct ShareMembers {
    fileprivate var root: Name?
    fileprivate var rootChangeTag: Name?
    fileprivate var publicPermission: Name?
    fileprivate var participants: [ParticipantInput]?

    /// Reads a member of a record, if it concerns shares.
    ///
    /// - Parameter members: nil until one does: most records say nothing of shares.
    static func read(_ key: JSONKey, _ reader: inout JSONReader, into members: inout Self?) throws(WireError) {
        var read = members ?? Self()
        switch key {
        case "forRecord": try read.readRoot(&reader)
        case "publicPermission": read.publicPermission = try reader.readName()
        case "participants":
            read.participants = try reader.readList(.participants) { reader throws(WireError) in
                try ParticipantInput(&reader)
            }
        default: return
        }
        members = read
    }

    private mutating func readRoot(_ reader: inout JSONReader) throws(WireError) {
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": root = try reader.readName()
            case "recordChangeTag": rootChangeTag = try reader.readName()
            default: break
            }
        }
        guard root != nil else { throw WireError.missing("recordName") }
    }
}
