import CloudKitWire
import CoreLocation
import Foundation

/// Why a record cannot be sent. Its save fails with `invalidArguments` and this reason.
struct UnusableValue: Error, Equatable {
    var reason: String
}

extension FieldValue {
    /// Writes `{"value":…,"type":…}`.
    ///
    /// - Parameter files: Returns the server's response to the upload of a file; nil if it was not uploaded.
    /// - Throws: ``UnusableValue`` for a value that no record can contain; the JSON is incomplete then.
    func write(
        to writer: inout JSONWriter, files: (CKAsset) -> StoredAsset?
    ) throws(UnusableValue) {
        writer.beginObject()
        writer.key("value")
        try writeValue(to: &writer, files)
        if let wireType { writer.member("type", wireType) }
        writer.endObject()
    }

    private func writeValue(
        to writer: inout JSONWriter, _ files: (CKAsset) -> StoredAsset?
    ) throws(UnusableValue) {
        switch self {
        case .string(let value): writer.string(value)
        case .int64(let value): writer.int64(value)
        case .double(let value):
            guard value.isFinite else { throw UnusableValue(reason: "\(value) is not a finite number") }
            writer.double(value)
        case .date(let value): writer.int64(try value.milliseconds)
        case .data(let value): writer.string(value.base64EncodedString())
        case .reference(let value): value.write(to: &writer)
        case .asset(let value):
            guard let stored = files(value) else {
                throw UnusableValue(reason: "the file \(value.fileURL?.path ?? "") was not uploaded")
            }
            stored.write(to: &writer)
        case .location(let value): try value.write(to: &writer)
        case .list(let values):
            writer.beginArray()
            for value in values { try value.writeValue(to: &writer, files) }
            writer.endArray()
        case .unsupported(_, let reason): throw UnusableValue(reason: reason)
        }
    }
}

extension Date {
    /// Milliseconds since 1970, rounded.
    var milliseconds: Int64 {
        get throws(UnusableValue) {
            let value = (timeIntervalSince1970 * 1_000).rounded()
            guard let whole = Int64(exactly: value) else {
                throw UnusableValue(reason: "the date is beyond the range of 64-bit milliseconds")
            }
            return whole
        }
    }

    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

extension CKReference {
    /// Writes the reference with its zone.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("recordName", recordID.recordName)
        writer.member("action", action == .deleteSelf ? "DELETE_SELF" : "NONE")
        writer.key("zoneID")
        recordID.zoneID.write(to: &writer)
        writer.endObject()
    }
}

extension CKRecordZoneID {
    /// Writes the zone ID. Leaves out the owner if it is the current user.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("zoneName", zoneName)
        if ownerName != CKCurrentUserDefaultName { writer.member("ownerRecordName", ownerName) }
        writer.endObject()
    }
}

extension StoredAsset {
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("fileChecksum", fileChecksum)
        writer.member("size", size)
        if let wrappingKey { writer.member("wrappingKey", wrappingKey) }
        if let referenceChecksum { writer.member("referenceChecksum", referenceChecksum) }
        if let receipt { writer.member("receipt", receipt) }
        writer.endObject()
    }
}

extension CLLocation {
    func write(to writer: inout JSONWriter) throws(UnusableValue) {
        let numbers: [(StaticString, Double)] = [
            ("latitude", coordinate.latitude), ("longitude", coordinate.longitude), ("altitude", altitude),
            ("horizontalAccuracy", horizontalAccuracy), ("verticalAccuracy", verticalAccuracy), ("course", course),
            ("speed", speed),
        ]
        writer.beginObject()
        for (key, number) in numbers {
            guard number.isFinite else { throw UnusableValue(reason: "\(number) is not a valid \(key) of a location") }
            writer.key(key)
            writer.double(number)
        }
        writer.member("timestamp", try timestamp.milliseconds)
        writer.endObject()
    }
}
