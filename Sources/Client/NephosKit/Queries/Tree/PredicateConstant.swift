/// A value that CloudKit knows, as predicates compare fields with it.
enum PredicateConstant: Sendable, Equatable {
    case string(String)
    case int64(Int64)
    /// Finite.
    case double(Double)
    /// Milliseconds since 1970: what servers store of a date.
    case timestamp(Int64)
    case bytes([UInt8])
    case reference(PredicateReference)
    case location(PredicatePlace)
    case list([PredicateConstant])
    /// The time at which the predicate is evaluated or sent: `now()`.
    case now
    /// `nil`, which no filter can say.
    case null
}

/// Which record a reference names.
struct PredicateReference: Sendable, Equatable {
    var recordName: String
    var zoneName = PredicateReference.defaultZone
    var ownerName = PredicateReference.currentUser

    static let defaultZone = "_defaultZone"
    static let currentUser = "__defaultOwner__"
}

/// Where a location lies; what else it knows is not compared.
struct PredicatePlace: Sendable, Equatable {
    let latitude: Double
    let longitude: Double

    /// nil for what lies nowhere on earth.
    init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension PredicateConstant {
    /// nil for what is not finite: JSON has no word for it.
    init?(number: Double) {
        guard number.isFinite else { return nil }
        self = .double(number)
    }

    /// nil for a date whose milliseconds since 1970 do not fit 64 bits.
    init?(secondsSince1970 seconds: Double) {
        guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
        self = .timestamp(milliseconds)
    }
}
