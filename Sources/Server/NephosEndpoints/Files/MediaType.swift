/// The declared content type of a file: `image/png`.
enum MediaType {
    /// Content of unknown type.
    static let unknown = "application/octet-stream"
    private static let lengthMax = 100

    /// The part of an upload's `Content-Type` that is stored: nothing if it does not describe the content, such as that of a
    /// form, which is what `curl` sends by default.
    static func kept(_ header: String?) -> String {
        guard let type = header?.split(separator: ";", maxSplits: 1).first?.lowercased() else { return "" }
        let trimmed = type.filter { $0 != " " && $0 != "\t" }
        let parts = trimmed.split(separator: "/", omittingEmptySubsequences: false)
        guard trimmed.utf8.count <= lengthMax, parts.count == 2, parts.allSatisfy({ !$0.isEmpty }),
            trimmed.utf8.allSatisfy(isPlain), parts[0] != "multipart", trimmed != "application/x-www-form-urlencoded",
            trimmed != unknown
        else { return "" }
        return trimmed
    }

    /// - Parameters:
    ///   - kept: The stored type of the upload.
    ///   - name: The file name that the downloading client uses.
    static func answered(_ kept: String, name: Substring) -> String {
        if !kept.isEmpty { return kept }
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        return byExtension[name[name.index(after: dot)...].lowercased()] ?? unknown
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"),
            UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static let byExtension = [
        "avif": "image/avif", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "png": "image/png", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
        "aac": "audio/aac", "m4a": "audio/mp4", "mp3": "audio/mpeg", "wav": "audio/wav", "m4v": "video/mp4",
        "mov": "video/quicktime", "mp4": "video/mp4", "webm": "video/webm", "csv": "text/csv",
        "json": "application/json",
        "pdf": "application/pdf", "txt": "text/plain", "xml": "application/xml", "zip": "application/zip",
    ]
}
