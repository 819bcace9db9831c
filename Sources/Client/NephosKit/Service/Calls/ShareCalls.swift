import CloudKitWire
import Foundation

/// `records/resolve` and `records/accept`: shares by their addresses.
struct SharesCall: ServiceCall {
    var accepts: Bool
    /// The last parts of the URLs: only the configured server is asked, whatever server a URL names.
    var addresses: [String]
    var fetchesRoots = false
    var rootKeys: [CKRecord.FieldKey]?

    var path: String { accepts ? "records/accept" : "records/resolve" }
    var isChange: Bool { accepts }
    /// The service finds shares through the public database, whatever database they are in.
    var scope: CKDatabaseScope { .public }

    /// The address in a URL.
    static func address(in url: URL) -> String { url.lastPathComponent }

    func write(to writer: inout JSONWriter) {
        writer.key("shortGUIDs")
        writer.beginArray()
        for address in addresses {
            writer.beginObject()
            writer.member("value", address)
            if fetchesRoots { writer.member("shouldFetchRootRecord", true) }
            if let rootKeys {
                writer.key("rootRecordDesiredKeys")
                writer.beginArray()
                for key in rootKeys { writer.string(key) }
                writer.endArray()
            }
            writer.endObject()
        }
        writer.endArray()
    }

    func read(
        _ reader: inout JSONReader, _ viewer: Viewer
    ) throws(WireError) -> [Result<CKShareMetadata, CKError>] {
        var results: [Result<CKShareMetadata, CKError>]?
        try reader.readMembers { reader, key throws(WireError) in
            guard case "results" = key else { return }
            results = try reader.readElements { reader throws(WireError) in try result(&reader, viewer) }
        }
        guard let results, results.count == addresses.count else {
            throw WireError("the answer does not have a result for each share")
        }
        return results
    }

    private func result(
        _ reader: inout JSONReader, _ viewer: Viewer
    ) throws(WireError) -> Result<CKShareMetadata, CKError> {
        var (container, rootName): (String?, String?) = (nil, nil)
        var (share, root): (JSONReader?, JSONReader?) = (nil, nil)
        var (participant, error) = (CKShareParticipant.Members(role: .unknown), ServerError.Members())
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "containerIdentifier": container = try reader.readText()
            case "rootRecordName": rootName = try reader.readText()
            case "share": share = try reader.readLater()
            case "rootRecord": root = try reader.readLater()
            case "participantType": participant.role = .init(word: try reader.readText())
            case "participantStatus": participant.acceptanceStatus = .init(word: try reader.readText())
            case "participantPermission": participant.permission = .init(word: try reader.readText())
            default: try error.read(&reader, key)
            }
        }
        if let error = error.error { return .failure(error.ckError) }
        guard let container, var share else { throw WireError("a result has no share") }
        let records = RecordReader(.shared, zone: nil, viewer, isChange: accepts)
        guard case .record(let record) = try records.item(&share), let found = record as? CKShare else {
            throw WireError("a result has no share record")
        }
        var rootRecord: CKRecord?
        if var root, case .record(let record) = try records.item(&root) { rootRecord = record }
        return .success(
            CKShareMetadata(
                containerIdentifier: container, share: found, participant: participant,
                rootRecordID: rootName.map { CKRecordID(recordName: $0, zoneID: found.recordID.zoneID) },
                rootRecord: rootRecord))
    }
}
