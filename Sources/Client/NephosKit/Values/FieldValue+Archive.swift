import CloudKitWire
import CoreLocation
import Foundation

/// A value with the name of its type: `{"STRING":"x"}`. Other than in a request, nothing is rounded, and a reference has
/// the zone that it was created with.
extension FieldValue: Archived {
    /// Whether archives contain the value. Files are left out: only the record at the server, or the program, refers to
    /// them.
    var isArchivable: Bool {
        switch self {
        case .asset, .unsupported: false
        case .list(let values): values.allSatisfy(\.isArchivable)
        default: true
        }
    }

    func archive(to writer: inout JSONWriter) {
        writer.beginObject()
        switch self {
        case .string(let value): writer.archive("STRING", value)
        case .int64(let value): writer.archive("INT64", value)
        case .double(let value): writer.archive("DOUBLE", value)
        case .date(let value): writer.archive("TIMESTAMP", value)
        case .data(let value): writer.archive("BYTES", value.base64EncodedString())
        case .reference(let value): writer.archive("REFERENCE", value)
        case .location(let value): writer.archive("LOCATION", value.archivedNumbers)
        case .list(let values): writer.archive("LIST", values)
        case .asset, .unsupported: break
        }
        writer.endObject()
    }

    init(archive reader: inout JSONReader) throws(WireError) {
        var value: FieldValue?
        try reader.readMembers { reader, key throws(WireError) in
            switch key {
            case "STRING": value = .string(try reader.archived())
            case "INT64": value = .int64(try reader.archived())
            case "DOUBLE": value = .double(try reader.archived())
            case "TIMESTAMP": value = .date(try reader.archived())
            case "BYTES": value = .data(try reader.readBytes())
            case "REFERENCE": value = .reference(try reader.archived())
            case "LOCATION": value = .location(try CLLocation(archivedNumbers: try reader.archived()))
            case "LIST": value = .list(try reader.archived())
            default: break
            }
        }
        guard let value else { throw WireError("a value has an unknown type") }
        self = value
    }
}

extension CLLocation {
    fileprivate var archivedNumbers: [Double] {
        [
            coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy, course, speed,
            timestamp.timeIntervalSinceReferenceDate,
        ]
    }

    fileprivate convenience init(archivedNumbers numbers: [Double]) throws(WireError) {
        guard numbers.count == 8 else { throw WireError("a location has \(numbers.count) numbers instead of 8") }
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]), altitude: numbers[2],
            horizontalAccuracy: numbers[3], verticalAccuracy: numbers[4], course: numbers[5], speed: numbers[6],
            timestamp: Date(timeIntervalSinceReferenceDate: numbers[7]))
    }
}
