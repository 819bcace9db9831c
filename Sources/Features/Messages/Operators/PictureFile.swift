import NephosRunner

/// A picture file of an editor.
struct PictureFile {
    /// The limit, because messages are fetched over mobile networks.
    static let bytesMax = 2 << 20

    /// The media type of a picture, from its first bytes: `image/png` and others that every phone and browser shows; nil for
    /// anything else. SVG is excluded, because it may contain scripts.
    static func mediaType(of bytes: [UInt8]) -> String? {
        func begins(_ start: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: start) }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if begins([0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if begins(Array("GIF8".utf8)) { return "image/gif" }
        if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return "image/webp" }
        return nil
    }

    private let bytes: [UInt8]
    private let type: String

    /// Reads a picture for a message.
    ///
    /// - Parameter path: As in the message's file, relative to that file's folder.
    init(_ path: String, beside file: String, _ call: any UseCaseCall) throws(Failure) {
        let folder = file.contains("/") ? String(file[...(file.lastIndex(of: "/") ?? file.startIndex)]) : ""
        bytes = try call.contents(of: InputFile(path: path.hasPrefix("/") ? path : folder + path))
        guard let type = Self.mediaType(of: bytes) else {
            throw Failure("\(path) is not a picture that every phone can show: use PNG, JPEG, GIF or WebP.")
        }
        guard bytes.count <= Self.bytesMax else {
            throw Failure(
                "\(path) has \(bytes.count) bytes. A message's picture can have at most \(Self.bytesMax): reduce its size."
            )
        }
        self.type = type
    }

    /// Uploads it.
    ///
    /// - Returns: The edit of the field.
    func edit(_ operations: MessageOperations, _ call: any UseCaseCall) async throws -> FieldEdit {
        .file(
            try await operations.administration.keep(
                bytes, contentType: type, in: operations.tenant, files: try call.files))
    }
}
