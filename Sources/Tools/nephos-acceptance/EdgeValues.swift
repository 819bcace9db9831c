import CloudKitWire
import NephosTesting

/// Values of each field type: a plain one first, then edge cases that servers often get wrong.
enum EdgeValues {
    /// Values of a type, as on the wire.
    ///
    /// - Parameters:
    ///   - target: The record name that references point to, in the record's own zone.
    ///   - files: Those of the record's database.
    static func all(of type: FieldType, target: String, _ files: UploadedFiles) -> [JSON] {
        if let element = type.element {
            let values = all(of: element, target: target, files)
            return values.isEmpty ? [] : [.array(Array(values.prefix(3))), [], .array(values), .array([values[0]])]
        }
        return switch type {
        case .string: strings.map { .string($0) }
        case .int64: integers.map { .int($0) }
        case .double: doubles.map { .double($0) }
        case .timestamp: timestamps.map { .int($0) }
        case .bytes: bytes.map { .string($0) }
        case .location: locations
        case .reference: references(to: target)
        case .asset: files.values
        default: []
        }
    }

    /// A plain value of a type that needs no other record: its references require no target.
    static func plain(of type: FieldType, _ files: UploadedFiles) -> JSON? {
        guard let element = type.element else { return all(of: type, target: "nobody", files).first }
        return plain(of: element, files).map { .array([$0]) }
    }

    private static let strings = [
        "plain words", "", " ", "quote \" backslash \\ slash / tab \t return \r newline \n bell \u{7} end \u{1F}",
        "nul \u{0} inside", "\u{E9} composed, e\u{301} not", "𝄞 🦄 👩‍👩‍👧‍👦 \u{10FFFF}", "\u{2028}\u{2029}\u{FEFF}\u{FFFD}",
        "</script>\u{7F}\u{80}", String(repeating: "long ", count: 2_000), "null", "\\u0041",
    ]

    private static let integers: [Int64] = [
        42, 0, -1, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, .max, .min,
    ]

    private static let doubles = [
        1.5, 3.0, -0.0, 0.0, 0.1, 1.0 / 3, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e21, 1e-7, 9_007_199_254_740_992.0, 123_456_789.125,
    ]

    private static let timestamps: [Int64] = [
        1_735_689_600_000, 0, -1, 1, -62_135_596_800_000, 253_402_300_799_999, 951_782_400_000,
    ]

    private static let bytes = ["AAECAwT/", "", "AA==", "AAA=", "+/+/", "/////w=="]

    private static let locations: [JSON] = [
        ["latitude": 52.52, "longitude": 13.405],
        ["latitude": 0.5, "longitude": 180.0],
        ["latitude": 0.5, "longitude": -180.0],
        ["latitude": 90.0, "longitude": 0.25],
        ["latitude": -90.0, "longitude": 179.999_999_999_999_97],
        [
            "latitude": -0.0, "longitude": 1e-300, "horizontalAccuracy": 5.5, "verticalAccuracy": 0.125,
            "altitude": -430.5, "speed": 0.1, "course": 359.9, "timestamp": 1_735_689_600_123,
        ],
    ]

    private static func references(to target: String) -> [JSON] {
        [
            ["recordName": .string(target), "action": "NONE"],
            ["recordName": .string(target), "action": "VALIDATE"],
            ["recordName": .string(target), "action": "DELETE_SELF"],
            ["recordName": .string(target)],
            ["recordName": "nobody is here 🕳", "action": "NONE"],
        ]
    }
}
