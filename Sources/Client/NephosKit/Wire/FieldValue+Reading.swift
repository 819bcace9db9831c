import CloudKitWire
import CoreLocation
import Foundation

extension FieldValue {
    /// Reads `{"value":…,"type":…}`. Returns nil for a field without a value.
    ///
    /// - Parameters:
    ///   - zone: The zone of the record, and of a reference that names no zone.
    ///   - isEncrypted: Set to whether the field is marked as encrypted.
    ///   - count: Counts the elements of lists, and files.
    /// - Throws: `WireError` for a value that is not of its type, for an unknown type, and for too many elements or files.
    static func read(
        _ reader: inout JSONReader, in zone: CKRecordZoneID, isEncrypted: inout Bool, _ count: ElementCount
    ) throws(WireError) -> FieldValue? {
        var (value, later): (FieldValue?, JSONReader?) = (nil, nil)
        var (type, encrypted): (ArraySlice<UInt8>?, Bool) = (nil, false)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            // Servers write the type first. Otherwise, the value is skipped and read at the end.
            case "value" where type != nil: value = try read(value: &reader, type, encrypted, in: zone, count)
            case "value": later = try reader.readLater()
            case "type": type = try reader.readString()
            case "isEncrypted": encrypted = try reader.readBool()
            default: break
            }
        }
        isEncrypted = encrypted
        guard var later else { return value }
        return try read(value: &later, type, encrypted, in: zone, count)
    }

    private static func read(
        value reader: inout JSONReader, _ type: ArraySlice<UInt8>?, _ isEncrypted: Bool, in zone: CKRecordZoneID,
        _ count: ElementCount
    ) throws(WireError) -> FieldValue? {
        guard let type else { return try guess(&reader, in: zone, count) }
        // An encrypted value is text, whatever its type.
        if isEncrypted, try reader.kind == .string { return .string(try reader.readText()) }
        // Apple's servers have sent types both with and without this prefix.
        let prefix = "ENCRYPTED_".utf8
        let known = FieldType(tag: type.starts(with: prefix) ? type.dropFirst(prefix.count) : type)
        guard let known else {
            let name = String(decoding: type, as: UTF8.self)
            throw WireError("a value has the unknown type '\(name)'")
        }
        guard known.isList else { return try read(&reader, as: known, in: zone, count) }
        var values: [FieldValue] = []
        try reader.readArray { reader, _ throws(WireError) in
            guard let element = known.element else { throw WireError("an element of a list has no type") }
            try count.addElement()
            values.append(try read(&reader, as: element, in: zone, count))
        }
        return .list(values)
    }

    private static func read(
        _ reader: inout JSONReader, as type: FieldType, in zone: CKRecordZoneID, _ count: ElementCount
    ) throws(WireError) -> FieldValue {
        switch type {
        case .string: return .string(try reader.readText())
        case .int64: return .int64(try reader.readInt64())
        case .double: return .double(try reader.readDouble())
        case .timestamp: return .date(Date(milliseconds: Int64(clamping: try reader.readDouble())))
        case .bytes: return .data(try reader.readBytes())
        case .reference: return .reference(try CKReference(&reader, in: zone))
        case .asset:
            try count.addFile()
            return .asset(CKAsset(try StoredAsset(&reader), fileURL: nil))
        case .location: return .location(try reader.readLocation())
        default: throw WireError("a list contains a list")
        }
    }

    /// Reads a value without a type; the type follows from the kind of JSON.
    private static func guess(
        _ reader: inout JSONReader, in zone: CKRecordZoneID, _ count: ElementCount
    ) throws(WireError) -> FieldValue {
        switch try reader.kind {
        case .string: return .string(try reader.readText())
        case .bool: return .int64(try reader.readBool() ? 1 : 0)
        case .number:
            var copy = reader
            if let whole = try? copy.readInt64() {
                reader = copy
                return .int64(whole)
            }
            return .double(try reader.readDouble())
        case .array:
            var values: [FieldValue] = []
            try reader.readArray { reader, _ throws(WireError) in
                try count.addElement()
                values.append(try guess(&reader, in: zone, count))
            }
            return .list(values)
        case .object, .null: throw WireError("a value has no type")
        }
    }
}

extension JSONReader {
    mutating func readText() throws(WireError) -> String { String(decoding: try readString(), as: UTF8.self) }

    mutating func readBytes() throws(WireError) -> Data {
        guard let data = Data(base64Encoded: Data(try readString())) else {
            throw WireError("bytes are not valid base64")
        }
        return data
    }

    fileprivate mutating func readLocation() throws(WireError) -> CLLocation {
        var numbers: [Double?] = [nil, nil, nil, nil, nil, nil, nil, nil]
        try readMembers { reader, key throws(WireError) in
            let place: Int? =
                switch key {
                case "latitude": 0
                case "longitude": 1
                case "altitude": 2
                case "horizontalAccuracy": 3
                case "verticalAccuracy": 4
                case "course": 5
                case "speed": 6
                case "timestamp": 7
                default: nil
                }
            if let place { numbers[place] = try reader.readDouble() }
        }
        guard let latitude = numbers[0], let longitude = numbers[1] else {
            throw WireError("a location has no latitude or no longitude")
        }
        return CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: numbers[2] ?? 0,
            horizontalAccuracy: numbers[3] ?? 0, verticalAccuracy: numbers[4] ?? -1, course: numbers[5] ?? -1,
            speed: numbers[6] ?? -1, timestamp: Date(milliseconds: Int64(clamping: numbers[7] ?? 0)))
    }
}

extension Int64 {
    /// The nearest integer; the minimum or maximum for a value outside the range.
    init(clamping value: Double) {
        let rounded = value.rounded()
        self = Int64(exactly: rounded) ?? (rounded < 0 ? .min : .max)
    }
}

extension CKReference {
    /// - Parameter zone: The zone of the record, used if the reference names no zone.
    convenience init(_ reader: inout JSONReader, in zone: CKRecordZoneID) throws(WireError) {
        var (name, own, deletesSelf): (String?, CKRecordZoneID?, Bool) = (nil, nil, false)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "recordName": name = try reader.readText()
            case "action": deletesSelf = try reader.readText() == "DELETE_SELF"
            case "zoneID": own = try CKRecordZoneID(&reader)
            default: break
            }
        }
        guard let name else { throw WireError("a reference has no recordName") }
        // A reference within the zone of its record, whose owner the server may name.
        let isSame = own.map { $0.zoneName.hasSameBytes(as: zone.zoneName) } ?? true
        self.init(
            recordID: CKRecordID(recordName: name, zoneID: isSame ? zone : own ?? zone),
            action: deletesSelf ? .deleteSelf : .none)
    }
}

extension CKRecordZoneID {
    convenience init(_ reader: inout JSONReader) throws(WireError) {
        var (name, owner): (String?, String?) = (nil, nil)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "zoneName": name = try reader.readText()
            case "ownerRecordName": owner = try reader.readText()
            default: break
            }
        }
        self.init(zoneName: name ?? CKRecordZoneID.defaultZoneName, ownerName: owner ?? CKCurrentUserDefaultName)
    }
}

extension StoredAsset {
    init(_ reader: inout JSONReader) throws(WireError) {
        var asset = StoredAsset(fileChecksum: "", size: 0)
        var (hasChecksum, hasSize) = (false, false)
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "fileChecksum": (asset.fileChecksum, hasChecksum) = (try reader.readText(), true)
            case "size": (asset.size, hasSize) = (try reader.readInt64(), true)
            case "wrappingKey": asset.wrappingKey = try reader.readText()
            case "referenceChecksum": asset.referenceChecksum = try reader.readText()
            case "receipt": asset.receipt = try reader.readText()
            case "downloadURL": asset.downloadURL = try reader.readText()
            default: break
            }
        }
        guard hasChecksum, hasSize else { throw WireError("a file has no fileChecksum or no size") }
        self = asset
    }
}
