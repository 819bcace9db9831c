import CloudKitWire
import Crypto
import NephosDomain
import NephosStorage

/// What a record claims because of one constraint.
struct Claim: Hashable {
    enum Kind: Hashable {
        /// One of a limited number of places.
        case place(of: Int)
        /// An interval whose end is exclusive.
        case stretch(from: Int64, to: Int64)
    }

    let rivals: Rivals
    let kind: Kind
}

extension TypeConstraints {
    /// The claims of a record with these fields, each with its constraint.
    func claims(
        of values: Values, _ type: RecordTypeRow, _ catalog: Catalog, in zone: ZoneNumber
    ) -> [(constraint: Constraint, claim: Claim)] {
        guard hasClaims else { return [] }
        let known = catalog.type(type.number)
        return claiming.compactMap { placed in
            let constraint = placed.constraint
            guard placed.concerns(values), let kind = constraint.kind(values),
                let key = placed.key(values, type, known, zone)
            else { return nil }
            return (constraint, Claim(rivals: Rivals(constraint: constraint.id, key: key), kind: kind))
        }
    }

    /// An interval that ends before it begins breaks its constraint by itself.
    func backwards(in values: Values) -> (constraint: Constraint, reason: String)? {
        for constraint in stretches where constraint.concerns(values) {
            guard case .noOverlap(let start, let end, _) = constraint.rule, let stretch = constraint.stretch(values),
                stretch.lowerBound >= stretch.upperBound
            else { continue }
            return (constraint, constraint.message ?? "\(end) of \(type) must be after \(start)")
        }
        return nil
    }
}

extension Constraint {
    fileprivate func kind(_ values: TypeConstraints.Values) -> Claim.Kind? {
        switch rule {
        case .atMost(let count): return .place(of: count)
        case .noOverlap:
            guard let stretch = stretch(values), stretch.lowerBound < stretch.upperBound else { return nil }
            return .stretch(from: stretch.lowerBound, to: stretch.upperBound)
        case .required, .notEmpty, .boolean, .oneOf, .range, .length, .localized, .exists: return nil
        }
    }

    /// Without a beginning it is unlimited, or nil if that means a draft; without an end it is unlimited.
    fileprivate func stretch(_ values: TypeConstraints.Values) -> (lowerBound: Int64, upperBound: Int64)? {
        guard case .noOverlap(let start, let end, let hasDrafts) = rule else { return nil }
        if hasDrafts, values[start]?.integer == nil { return nil }
        return (values[start]?.integer ?? .min, values[end]?.integer ?? .max)
    }
}

extension TypeConstraints.Placed {
    /// nil if a field has no value: then the record has no rivals.
    ///
    /// The key includes what distinguishes things with the same name: the incarnation of the zone, the number of the type, and
    /// the epoch of each field.
    fileprivate func key(
        _ values: TypeConstraints.Values, _ type: RecordTypeRow, _ known: RecordType?, _ zone: ZoneNumber
    ) -> [UInt8]? {
        var hashed = HashedBytes()
        hashed.add(zone)
        hashed.add(Int64(type.number))
        for name in constraint.names { hashed.add(known?.fields[name]?.epoch ?? type.epoch) }
        for field in fields {
            guard let value = values[field] else { return nil }
            let bytes = (value.type == .reference ? value.bytes : nil) ?? value.json
            hashed.add(Int64(value.type.rawValue))
            if value.double == 0 {
                // Zero may be written with a sign.
                hashed.add(0)
                continue
            }
            hashed.add(Int64(bytes.count))
            hashed.bytes += bytes
        }
        return hashed.sum
    }
}

/// Collects the input of a key, which is its SHA-256.
private struct HashedBytes {
    var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(128) }

    mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    var sum: [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize().withUnsafeBytes { Array($0) }
    }
}
