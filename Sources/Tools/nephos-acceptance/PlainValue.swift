import CloudKitWire
import Foundation
import NephosTesting

/// A value as understood by this tool. Comparison is deliberately implemented a second time, in a simple way: the server's own
/// rules must not verify themselves.
enum PlainValue: Equatable {
    case int(Int64)
    case double(Double)
    case bytes([UInt8])
    case place(latitude: Double, longitude: Double)

    /// nil if it is not a single value of the type.
    init?(_ json: JSON, as type: FieldType) {
        switch type {
        case .int64, .timestamp:
            guard let number = json.int64 else { return nil }
            self = .int(number)
        case .double:
            guard let number = json.double else { return nil }
            self = .double(number)
        case .string:
            guard let text = json.string else { return nil }
            self = .bytes(Array(text.utf8))
        case .bytes:
            guard let text = json.string, let data = Data(base64Encoded: text) else { return nil }
            self = .bytes(Array(data))
        case .reference:
            guard let name = json["recordName"].string ?? json.string else { return nil }
            self = .bytes(Array(name.utf8))
        case .location:
            guard let latitude = json["latitude"].double, let longitude = json["longitude"].double else { return nil }
            self = .place(latitude: latitude, longitude: longitude)
        default: return nil
        }
    }

    /// Negative, zero or positive. Only values of one field are compared.
    func compare(_ other: PlainValue) -> Int {
        switch (self, other) {
        case (.int(let a), .int(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.double(let a), .double(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.bytes(let a), .bytes(let b)):
            return a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0
        default: return 0
        }
    }

    func begins(with prefix: PlainValue) -> Bool {
        guard case .bytes(let text) = self, case .bytes(let prefix) = prefix else { return false }
        return text.starts(with: prefix)
    }

    /// Meters along the surface, by the haversine formula.
    func distance(to other: PlainValue) -> Double? {
        guard case .place(let lat1, let lon1) = self, case .place(let lat2, let lon2) = other else { return nil }
        let (a, b) = (lat1 * .pi / 180, lat2 * .pi / 180)
        let half = (sin((b - a) / 2), sin((lon2 - lon1) * .pi / 360))
        let h = half.0 * half.0 + cos(a) * cos(b) * half.1 * half.1
        return 2 * 6_371_008.8 * asin(min(1, sqrt(h)))
    }
}

/// The words of a text, for searches.
enum PlainWords {
    private static let ignored: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
        "of",
        "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will",
        "with",
    ]

    static func words(of text: String) -> Set<String> {
        let plain = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        let parts = plain.unicodeScalars.split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
        return Set(parts.map { String($0) }).subtracting(ignored)
    }
}
