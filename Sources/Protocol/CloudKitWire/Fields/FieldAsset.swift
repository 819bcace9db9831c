/// An asset among the fields of a record (docs/protocol.md, F11): a file that was uploaded before.
public struct FieldAsset: Sendable, Hashable {
    /// Bytes of ``fileChecksum`` before base64: a version and what the server finds the file by.
    public static let checksumBytes = 33
    private static let version: UInt8 = 1
    /// A receipt is much shorter.
    private static let receiptBytesMax = 1_024

    /// What the server finds the file by, within the record's database: 32 bytes. Clients know it, with a version in front
    /// and as base64, as `fileChecksum`.
    public var address: [UInt8]
    /// Bytes of the file.
    public var size: Int64
    /// What the upload answered; nil where a client sends back what it read.
    public var receipt: [UInt8]?

    public init(address: [UInt8], size: Int64, receipt: [UInt8]? = nil) {
        self.address = address
        self.size = size
        self.receipt = receipt
    }

    /// As clients know the file.
    public var fileChecksum: [UInt8] { Base64.encoded([Self.version] + address) }

    /// Reads a value of a request, or one that is stored. Other keys are what answers add, and passed over.
    ///
    /// - Throws: `WireError` for everything that no upload and no record answered.
    init(_ reader: inout JSONReader) throws(WireError) {
        var (checksum, size): (ArraySlice<UInt8>?, Int64?) = (nil, nil)
        var receipt: [UInt8]?
        try reader.readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            switch key {
            case "fileChecksum": checksum = try reader.readString()
            case "size": size = try Self.size(&reader)
            case "receipt": receipt = Array(try reader.readString())
            default: break
            }
        }
        guard let bytes = checksum.flatMap(Base64.bytes), bytes.count == Self.checksumBytes,
            bytes.first == Self.version, let size, size >= 0, receipt?.count ?? 0 <= Self.receiptBytesMax
        else { throw Self.unknown }
        self.init(address: Array(bytes.dropFirst()), size: size, receipt: receipt)
    }

    /// Some clients write all numbers as strings. - Returns: nil for what is no whole number.
    private static func size(_ reader: inout JSONReader) throws(WireError) -> Int64? {
        guard try reader.kind == .string else { return JSONNumber.int64(try reader.readNumber()) }
        let text = try reader.readString()
        // What a string holds was not looked at yet, and numbers are read only where their syntax has been checked.
        do throws(WireError) { return JSONNumber.int64(try FieldValueEncoder.number(in: text, .int64)) } catch {
            throw unknown
        }
    }

    /// The value is not what the server answered to an upload.
    static var unknown: WireError { WireError(notValidated) }

    /// Apple's words for a file that was not uploaded, or not by this caller.
    public static let notValidated = "bad upload receipt (did_not_validate)"

    /// Writes the value as it is stored.
    func append(to out: inout [UInt8]) {
        out.append("{\"fileChecksum\":\"")
        out.append(contentsOf: fileChecksum)
        out.append("\",\"size\":")
        out.appendDecimal(size)
        out.append(UInt8(ascii: "}"))
    }
}

/// Where an asset stands among the fields of a record.
public struct AssetPlace: Sendable, Hashable {
    public var field: Name
    /// In a list; 0 for a single one.
    public var index: Int

    public init(field: Name, index: Int) {
        self.field = field
        self.index = index
    }
}

/// What an answer says of an asset beside what is stored.
public struct AssetMembers: Sendable {
    /// With `${f}` in place of a file name.
    public var downloadURL: String
    /// nil in public databases.
    public var wrappingKey: [UInt8]?
    public var referenceChecksum: [UInt8]?

    public init(downloadURL: String, wrappingKey: [UInt8]? = nil, referenceChecksum: [UInt8]? = nil) {
        self.downloadURL = downloadURL
        self.wrappingKey = wrappingKey
        self.referenceChecksum = referenceChecksum
    }

    /// About what they add to an answer.
    public static let bytesEstimate = 600

    /// Finds them for one asset of a record.
    public typealias Source = @Sendable (AssetPlace, FieldAsset) -> AssetMembers

    /// Appends them behind the stored members.
    fileprivate func append(to out: inout [UInt8]) {
        out.append(",\"downloadURL\":")
        out.appendQuoted(Array(downloadURL.utf8)[...])
        for (key, value) in [("wrappingKey", wrappingKey), ("referenceChecksum", referenceChecksum)] {
            guard let value else { continue }
            out.append(contentsOf: ",\"\(key)\":\"".utf8)
            out.append(contentsOf: Base64.encoded(value))
            out.append(UInt8(ascii: "\""))
        }
    }
}

extension CanonicalFields {
    /// The assets among the fields, in their order.
    public static func assets(in fields: ArraySlice<UInt8>) -> [(place: AssetPlace, asset: FieldAsset)] {
        var assets: [(AssetPlace, FieldAsset)] = []
        fields.withUnsafeBufferPointer { bytes in
            var cursor = FieldsCursor(bytes)
            while let entry = cursor.next() {
                guard let parts = cursor.parts(of: entry), parts.type.isOfAssets else { continue }
                let name = Name(bytes: fields.part(entry.name)).owned
                forEachAsset(fields.part(parts.value), parts.type) { index, asset in
                    assets.append((AssetPlace(field: name, index: index), asset))
                }
            }
        }
        return assets
    }

    /// Appends a stored value of assets to an answer, with what the answer says of them.
    static func write(
        assets value: ArraySlice<UInt8>, _ type: FieldType, of field: Name, _ source: AssetMembers.Source,
        to out: inout [UInt8]
    ) {
        if type.isList { out.append(UInt8(ascii: "[")) }
        forEachAsset(value, type) { index, asset in
            if index > 0 { out.append(UInt8(ascii: ",")) }
            asset.append(to: &out)
            out.removeLast()
            source(AssetPlace(field: field, index: index), asset).append(to: &out)
            out.append(UInt8(ascii: "}"))
        }
        if type.isList { out.append(UInt8(ascii: "]")) }
    }

    private static func forEachAsset(_ value: ArraySlice<UInt8>, _ type: FieldType, _ body: (Int, FieldAsset) -> Void) {
        var reader = JSONReader(checked: value)
        // Canonical bytes hold nothing that could throw here; an asset that is none is left out.
        do throws(WireError) {
            guard type.isList else { return body(0, try FieldAsset(&reader)) }
            try reader.readArray { reader, index throws(WireError) in body(index, try FieldAsset(&reader)) }
        } catch {
            return
        }
    }
}

extension FieldType {
    /// ASSETID and its list.
    var isOfAssets: Bool { (element ?? self) == .asset }
}
