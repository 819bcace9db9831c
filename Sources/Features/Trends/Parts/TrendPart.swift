import CloudKitWire
import NephosStorage

/// What is counted of the records of a type in the public database, in addition to their number.
struct TrendPart: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// The number of records with each value of a field.
        case split
        /// The number of elements of a list, in all records together.
        case all
        /// In the record that was created last.
        case newest
        /// In the record of this name.
        case record(Name)
        /// A list that was counted elsewhere and imported.
        case elsewhere
    }

    let type: Name
    let field: Name
    let kind: Kind
    /// Identifies the part within its type; never 0.
    let id: UInt64

    init(_ type: Name, _ field: Name, _ kind: Kind) {
        (self.type, self.field, self.kind) = (type, field, kind)
        var bytes = Array(kind.word.utf8) + [0] + Array(field.bytes)
        if case .record(let name) = kind { bytes += [0] + Array(name.bytes) }
        id = max(1, bytes.withUnsafeBytes { xxHash64($0) })
    }

    var isSplit: Bool { kind == .split }

    /// Why the part cannot be counted under the current schema; nil if it can.
    func mismatch(in catalog: Catalog) -> TrendMismatch? {
        guard let known = catalog.types[type] else { return .noType }
        guard let field = known.fields[field] else { return .noField }
        if field.isEncrypted { return .encrypted }
        guard isSplit else { return field.kind.isList ? nil : .noList }
        return [.string, .int64, .double].contains(field.kind) ? nil : .unsplittable
    }
}

extension TrendPart.Kind {
    /// The kind of a list, from the word in the settings for the records that are counted.
    ///
    /// - Parameter of: `newest` (also nil), `all`, or `record: NAME`; the result is nil for anything else.
    init?(of: String?) {
        switch of {
        case nil, "newest": self = .newest
        case "all": self = .all
        case let of?:
            let name = of.dropFirst("record:".count).drop { $0 == " " }
            guard of.hasPrefix("record:"), !name.isEmpty else { return nil }
            self = .record(Name(String(name)))
        }
    }

    /// The word that is hashed.
    fileprivate var word: String {
        switch self {
        case .split: "split"
        case .all: "all"
        case .newest: "newest"
        case .record: "record"
        case .elsewhere: "elsewhere"
        }
    }
}

/// Why something that the settings name cannot be counted.
enum TrendMismatch: Sendable, Equatable {
    case noType, noField, encrypted, noList, unsplittable
}

/// The parts of a type, prepared so that a single pass over the fields of a record finds all of them.
final class TypeParts: Sendable {
    /// The maximum bytes of a value that is counted by itself.
    static let valueBytesMax = 64
    /// The value that stands for all others: too many different ones, or too long ones.
    static let other = Array("other".utf8)

    let parts: [TrendPart]
    /// Whether any list counts in the newest record alone, so that other records have to be read.
    let hasNewest: Bool
    /// Of ``parts``, in their order: ``TrendPart/id`` and ``TrendPart/isSplit``.
    let ids: [UInt64]
    let areSplits: [Bool]
    /// Indices in ``parts`` of those that count in every record.
    let counted: [Int]
    /// In byte order, each once.
    private let names: [Name]
    private let places: [Int]

    init(_ parts: [TrendPart]) {
        self.parts = parts
        hasNewest = parts.contains { $0.kind == .newest }
        (ids, areSplits) = (parts.map(\.id), parts.map(\.isSplit))
        counted = parts.indices.filter { parts[$0].kind != .newest }
        let names = Set(parts.map(\.field)).sorted()
        self.names = names
        places = parts.map { part in names.firstIndex(of: part.field) ?? 0 }
    }

    /// What a record adds to a part: one record with a value, or a number of elements.
    struct Amount: Equatable {
        var value: [UInt8] = []
        var count: Int64
    }

    /// What a record adds to each part.
    ///
    /// - Parameter fields: Those that are set, as stored.
    func amounts(of name: Name, _ fields: Bytes) -> [Amount] {
        var values: [StoredValue?] = Array(repeating: nil, count: names.count)
        CanonicalFields.read(names, in: fields) { place, value in values[place] = value }
        return parts.indices.map { place in
            let (part, value) = (parts[place], values[places[place]])
            if part.isSplit { return Amount(value: value?.splitValue ?? [], count: 1) }
            if case .record(let own) = part.kind, own != name { return Amount(count: 0) }
            return Amount(count: value?.elements ?? 0)
        }
    }
}

extension StoredValue {
    /// As text; ``TypeParts/other`` if it is too long, or neither text nor a number.
    fileprivate var splitValue: [UInt8] {
        var text = Array(json)
        if type == .string {
            do throws(WireError) {
                var reader = try JSONReader(json)
                text = Array(try reader.readString())
            } catch {
                return TypeParts.other
            }
        } else if type != .int64 && type != .double {
            return TypeParts.other
        }
        return text.count <= TypeParts.valueBytesMax ? text : TypeParts.other
    }

    /// The number of elements of a list.
    fileprivate var elements: Int64 {
        guard type.isList else { return 0 }
        var count: Int64 = 0
        do throws(WireError) {
            var reader = try JSONReader(json)
            try reader.readArray { reader, _ throws(WireError) in
                _ = try reader.skipValue()
                count += 1
            }
        } catch {
            return 0
        }
        return count
    }
}
