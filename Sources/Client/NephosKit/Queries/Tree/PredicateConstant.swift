/// A value of a type that CloudKit supports, which predicates compare fields with.
enum PredicateConstant: Sendable, Hashable {
    case string(String)
    case int64(Int64)
    /// The number is finite.
    case double(Double)
    /// A date as servers store it, in milliseconds since 1970.
    case timestamp(Int64)
    case bytes([UInt8])
    case reference(PredicateReference)
    case location(PredicatePlace)
    case list([PredicateConstant])
    /// The time at which the predicate is evaluated or sent: `now()`.
    case now
    /// `nil`, which filters cannot express.
    case null
}

/// The record that a reference points to.
struct PredicateReference: Sendable, Hashable {
    var recordName: String
    var zoneName = PredicateReference.defaultZone
    var ownerName = PredicateReference.currentUser

    static let defaultZone = "_defaultZone"
    static let currentUser = "__defaultOwner__"
}

/// The coordinates of a location; its other properties are not compared.
struct PredicatePlace: Sendable, Hashable {
    let latitude: Double
    let longitude: Double

    /// Returns nil for coordinates that are out of range.
    init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension PredicateConstant {
    /// Returns nil for a number that is not finite, because JSON cannot represent it.
    init?(number: Double) {
        guard number.isFinite else { return nil }
        self = .double(number)
    }

    /// Returns nil for a date whose milliseconds since 1970 do not fit in 64 bits.
    init?(secondsSince1970 seconds: Double) {
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
        self = .timestamp(milliseconds)
    }
}
