import CloudKitWire
import Foundation

extension CKShare {
    /// Writes the members of a share record besides those of every record, for an operation of `records/modify`.
    func writeMembers(to writer: inout JSONWriter) {
        let shared = shared
        if recordChangeTag == nil, let root = shared.rootRecordID {
            writer.key("forRecord")
            writer.beginObject()
            writer.member("recordName", root.recordName)
            writer.endObject()
        }
        writer.member("publicPermission", shared.publicPermission.word ?? "NONE")
        // A public share that nobody has joined has no list, and takes none.
        guard shared.publicPermission == .none || !shared.others.isEmpty else { return }
        writer.key("participants")
        writer.beginArray()
        for participant in shared.others where participant.role != .publicUser { participant.write(to: &writer) }
        writer.endArray()
    }
}

extension CKShareParticipant {
    fileprivate func write(to writer: inout JSONWriter) {
        let members = members
        writer.beginObject()
        // The service knows only those that it has returned.
        if members.acceptanceStatus != .unknown { writer.member("participantId", participantID) }
        writer.member("type", members.role == .administrator ? "ADMINISTRATOR" : "USER")
        if let permission = members.permission.word { writer.member("permission", permission) }
        writer.member("acceptanceStatus", members.acceptanceStatus == .accepted ? "ACCEPTED" : "INVITED")
        writer.key("userIdentity")
        writer.beginObject()
        if let user = userIdentity.userRecordID { writer.member("userRecordName", user.recordName) }
        if let info = userIdentity.lookupInfo {
            writer.key("lookupInfo")
            writer.beginObject()
            if let address = info.emailAddress { writer.member("emailAddress", address) }
            if let number = info.phoneNumber { writer.member("phoneNumber", number) }
            if let user = info.userRecordID { writer.member("userRecordName", user.recordName) }
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
    }
}
