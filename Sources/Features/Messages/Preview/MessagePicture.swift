import CloudKitWire
import NephosAssets
import NephosDomain
import NephosStorage

/// The picture of a message, as shown in previews.
enum MessagePicture: Sendable, Equatable {
    /// A `data:` URL.
    case embedded(String)
    /// The reason why it is not shown.
    case absent(String)

    /// The maximum size of an embedded picture, so that the page stays small enough for a chat or a mail.
    static let bytesMax = 256 << 10

    /// - Returns: nil for a record without a picture.
    init?(_ record: RecordRow, _ store: any TenantStore, _ files: any AssetStore) throws {
        guard
            let asset = CanonicalFields.assets(in: record.fields).first(where: { $0.place.field == MessageField.image })
        else { return nil }
        var set = ReadSet()
        let scan = AssetRow.at([asset.asset.address], in: record.database)
        set.ask(scan)
        let reading = try store.read(set)
        guard let row = reading[scan].first, let file = AssetFile(row, in: AssetHome(reading.catalog.head)) else {
            self = .absent("its file does not exist")
            return
        }
        guard row.size <= Self.bytesMax else {
            self = .absent("it has \(row.size) bytes, and previews show pictures of at most \(Self.bytesMax)")
            return
        }
        do {
            self.init(try Self.read(try files.open(file), Int(row.size)))
        } catch is AssetError {
            self = .absent("its file cannot be read")
        }
    }

    /// - Parameter bytes: The type of the picture is detected from its first bytes, whatever its upload stated.
    init(_ bytes: [UInt8]) {
        guard let type = PictureFile.mediaType(of: bytes) else {
            self = .absent("it is not a PNG, JPEG, GIF or WebP")
            return
        }
        self = .embedded("data:\(type);base64,\(Base64.text(bytes))")
    }

    private static func read(_ content: any AssetContent, _ size: Int) throws -> [UInt8] {
        try Array(unsafeUninitializedCapacity: size) { memory, filled in
            let memory = UnsafeMutableRawBufferPointer(memory)
            while filled < size {
                let rest = UnsafeMutableRawBufferPointer(rebasing: memory[filled..<size])
                let count = try content.read(at: Int64(filled), into: rest)
                guard count > 0 else { return }
                filled += count
            }
        }
    }
}
