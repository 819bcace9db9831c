/// An asset among the fields of a record (docs/protocol.md, F11): a file that was uploaded earlier.
public struct FieldAsset: Sendable, Hashable {
    /// Length of ``fileChecksum`` in bytes before base64: a version and the address of the file.
    public static let checksumBytes = 33
    private static let version: UInt8 = 1
    /// Maximum size of a receipt; actual receipts are much shorter.
    private static let receiptBytesMax = 1_024

    /// The address of the file, unique within the record's database: 32 bytes. Clients receive it, prefixed with a version and
    /// encoded as base64, as `fileChecksum`.
    public var address: [UInt8]
    /// Bytes of the file.
    public var size: Int64
    /// The receipt of the upload; nil if a client sends back an asset that it read.
    public var receipt: [UInt8]?

    public init(address: [UInt8], size: Int64, receipt: [UInt8]? = nil) {
        self.address = address
        self.size = size
        self.receipt = receipt
    }

    /// The checksum as clients receive it.
    public var fileChecksum: [UInt8] { Base64.encoded([Self.version] + address) }

    /// Parses a value of a request, or a stored one. Other keys are those added to responses, and are ignored.
    ///
    /// - Throws: `WireError` for a value that is not from an upload or a record.
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

    /// Some clients write all numbers as strings. - Returns: nil if it is not a whole number.
    private static func size(_ reader: inout JSONReader) throws(WireError) -> Int64? {
        guard try reader.kind == .string else { return JSONNumber.int64(try reader.readNumber()) }
        let text = try reader.readString()
        // The content of a string is not validated yet, and parsing a number requires valid syntax.
        do throws(WireError) { return JSONNumber.int64(try FieldValueEncoder.number(in: text, .int64)) } catch {
            throw unknown
        }
    }

    /// The error for a value that is not the response to an upload.
    static var unknown: WireError { WireError(notValidated) }

    /// Apple's message for a file that was not uploaded, or not by this caller, and what to send.
    public static let notValidated =
        "bad upload receipt (did_not_validate): send singleFile exactly as the upload returned it"

    /// Writes the value in its stored form.
    func append(to out: inout [UInt8]) {
        out.append("{\"fileChecksum\":\"")
        out.append(contentsOf: fileChecksum)
        out.append("\",\"size\":")
        out.appendDecimal(size)
        out.append(UInt8(ascii: "}"))
    }
}

/// The position of an asset among the fields of a record.
public struct AssetPlace: Sendable, Hashable {
    public var field: Name
    /// The index in a list; 0 for a single asset.
    public var index: Int

    public init(field: Name, index: Int) {
        self.field = field
        self.index = index
    }
}

/// Members that a response adds to a stored asset.
public struct AssetMembers: Sendable {
    /// With `${f}` as a placeholder for a file name.
    public var downloadURL: String
    /// nil in public databases.
    public var wrappingKey: [UInt8]?
    public var referenceChecksum: [UInt8]?

    public init(downloadURL: String, wrappingKey: [UInt8]? = nil, referenceChecksum: [UInt8]? = nil) {
        self.downloadURL = downloadURL
        self.wrappingKey = wrappingKey
        self.referenceChecksum = referenceChecksum
    }

    /// Estimated size of the added members.
    public static let bytesEstimate = 600

    /// Provides the members for an asset of a record.
    public typealias Source = @Sendable (AssetPlace, FieldAsset) -> AssetMembers

    /// Appends them after the stored members.
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
    /// The assets among the fields, in order.
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

    /// Appends a stored value with assets to a response, with the additional members.
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
        // Canonical bytes contain nothing that could throw here; an invalid asset is ignored.
        do throws(WireError) {
            guard type.isList else { return body(0, try FieldAsset(&reader)) }
            try reader.readArray { reader, index throws(WireError) in body(index, try FieldAsset(&reader)) }
        } catch {
            return
        }
    }
}

extension FieldType {
    /// Whether the type is ASSETID or its list.
    var isOfAssets: Bool { (element ?? self) == .asset }
}
