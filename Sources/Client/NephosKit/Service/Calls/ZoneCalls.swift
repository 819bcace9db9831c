import CloudKitWire
import Foundation

extension AnsweredItem<CKRecordZoneID, CKRecordZone> {
    init(_ reader: inout JSONReader, user: String?) throws(WireError) {
        var (id, isDeleted, isAtomic): (CKRecordZoneID?, Bool, Bool?) = (nil, false, nil)
        var error = ServerError.Members()
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "zoneID": id = try CKRecordZoneID(&reader).shown(to: user)
            case "deleted": isDeleted = try reader.readBool()
            case "atomic": isAtomic = try reader.readBool()
            default: try error.read(&reader, key)
            }
        }
        if let error = error.error {
            self = .failed(id, error)
            return
        }
        guard let id else { throw WireError("a zone has no zoneID") }
        if isDeleted {
            self = .deleted(id)
            return
        }
        let isCustom = id.zoneName != CKRecordZoneID.defaultZoneName && isAtomic != false
        self = .there(id, CKRecordZone(zoneID: id, capabilities: isCustom ? .custom : [], share: nil))
    }
}

extension CKRecordZone.Capabilities {
    static let custom: CKRecordZone.Capabilities = [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
}

extension CKRecordZoneID {
    /// The ID as programs see it: a zone of `user` has the default owner name.
    func shown(to user: String?) -> CKRecordZoneID {
        ownerName == user ? CKRecordZoneID(zoneName: zoneName) : self
    }
}

/// `zones/list`, `zones/lookup` and `zones/modify`.
struct ZonesCall: ServiceCall {
    enum Kind: Sendable {
        case list
        case lookup([CKRecordZoneID])
        case modify(saving: [CKRecordZoneID], deleting: [CKRecordZoneID])
    }

    var scope: CKDatabaseScope
    var kind: Kind

    var path: String {
        switch kind {
        case .list: "zones/list"
        case .lookup: "zones/lookup"
        case .modify: "zones/modify"
        }
    }

    var isChange: Bool { if case .modify = kind { true } else { false } }

    func write(to writer: inout JSONWriter) {
        switch kind {
        case .list: break
        case .lookup(let ids):
            writer.key("zones")
            writer.beginArray()
            for id in ids { id.write(to: &writer) }
            writer.endArray()
        case .modify(let saved, let deleted):
            writer.key("operations")
            writer.beginArray()
            for id in saved { write("create", id, to: &writer) }
            for id in deleted { write("delete", id, to: &writer) }
            writer.endArray()
        }
    }

    private func write(_ operation: String, _ id: CKRecordZoneID, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("operationType", operation)
        writer.key("zone")
        writer.beginObject()
        writer.member("zoneID", id)
        writer.endObject()
        writer.endObject()
    }

    /// Returns the results by the IDs that programs see (``CKRecordZoneID/shown(to:)``).
    func read(
        _ reader: inout JSONReader, _ viewer: Viewer
    ) throws(WireError) -> Answers<CKRecordZoneID, CKRecordZone> {
        var items: [AnsweredItem<CKRecordZoneID, CKRecordZone>]?
        try reader.readMembers { reader, key throws(WireError) in
            guard case "zones" = key else { return }
            items = try reader.readElements { reader throws(WireError) in
                try AnsweredItem(&reader, user: viewer.user)
            }
        }
        guard let items else { throw WireError("the answer has no zones") }
        return Answers(items)
    }
}
