import CloudKitWire
import NephosStorage

/// The record type of shares. The first share of a container adds it, in production too: nobody deploys it.
enum ShareType {
    static let name: Name = "cloudkit.share"
    /// Its fields from the start, as Apple's service creates them.
    private static let fields: [(Name, FieldType)] = [
        ("cloudkit.thumbnailImageData", .bytes), ("cloudkit.title", .string), ("cloudkit.type", .string),
    ]
    /// The name of the share record of a whole zone.
    static let zoneShareName: Name = "cloudkit.zoneshare"

    /// Whether a request means it; some clients spell it in another way.
    static func isNamed(_ type: Name?) -> Bool {
        guard let type, type.bytes.count == name.bytes.count else { return false }
        return type == name || type == "cloudKit.share"
    }

    static func fields(of type: RecordTypeRow) -> [FieldRow] {
        fields.map { FieldRow(type: type.number, name: $0, kind: $1, epoch: type.epoch) }
    }
}
