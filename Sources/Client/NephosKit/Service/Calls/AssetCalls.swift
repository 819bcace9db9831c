import CloudKitWire
import Foundation

/// `assets/upload`: requests URLs for uploading files.
struct AssetsUpload: ServiceCall {
    struct Token: Sendable {
        var recordName: String
        var recordType: String
        var fieldName: String
    }

    let path = "assets/upload"
    var scope: CKDatabaseScope
    var zone: CKRecordZoneID
    var tokens: [Token]

    func write(to writer: inout JSONWriter) {
        writer.member("zoneID", zone)
        writer.key("tokens")
        writer.beginArray()
        for token in tokens {
            writer.beginObject()
            writer.member("recordName", token.recordName)
            writer.member("recordType", token.recordType)
            writer.member("fieldName", token.fieldName)
            writer.endObject()
        }
        writer.endArray()
    }

    /// Returns the upload URLs, in the order of the tokens.
    func read(_ reader: inout JSONReader, _ viewer: Viewer) throws(WireError) -> [String] {
        var urls: [String] = []
        try reader.readMembers { reader, key throws(WireError) in
            guard case "tokens" = key else { return }
            try reader.readItems { reader throws(WireError) in
                try reader.readMembers { reader, key throws(WireError) in
                    if case "url" = key { urls.append(try reader.readText()) }
                }
            }
        }
        guard urls.count == tokens.count else { throw WireError("the number of upload URLs is not that of the files") }
        return urls
    }
}
