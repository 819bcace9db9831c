/// An asset as a client writes it into a field of a record: the response to an upload, and to `assets/rereference`.
public struct AssetReceiptDictionary: Sendable, Equatable {
    public var asset: FieldAsset
    public var receipt: String
    /// nil in public databases.
    public var wrappingKey: [UInt8]?
    public var referenceChecksum: [UInt8]?

    public init(asset: FieldAsset, receipt: String, wrappingKey: [UInt8]? = nil, referenceChecksum: [UInt8]? = nil) {
        self.asset = asset
        self.receipt = receipt
        self.wrappingKey = wrappingKey
        self.referenceChecksum = referenceChecksum
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("fileChecksum", asset.fileChecksum)
        writer.key("size")
        writer.bytes.appendDecimal(asset.size)
        writer.member("receipt", Array(receipt.utf8))
        if let wrappingKey { writer.member("wrappingKey", Base64.encoded(wrappingKey)) }
        if let referenceChecksum { writer.member("referenceChecksum", Base64.encoded(referenceChecksum)) }
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ key: StaticString, _ text: [UInt8]) {
        self.key(key)
        bytes.appendQuoted(text[...])
    }
}
