import CoreLocation

extension PredicateConstant {
    /// Whether the values are equal; nil for values of types that cannot be compared.
    func equals(_ other: PredicateConstant) -> Bool? {
        switch (self, other) {
        case (.reference(let left), .reference(let right)):
            left.recordName.utf8.elementsEqual(right.recordName.utf8)
        case (.location(let left), .location(let right)): left == right
        default: compare(other).map { $0 == 0 }
        }
    }

    /// Returns a number less than, equal to or greater than 0 if this value is less than, equal to or greater than the
    /// other; nil for types without an order.
    func compare(_ other: PredicateConstant) -> Int? {
        switch (self, other) {
        case (.string(let left), .string(let right)): Self.order(left.utf8, right.utf8)
        case (.bytes(let left), .bytes(let right)): Self.order(left, right)
        case (.int64(let left), .int64(let right)), (.timestamp(let left), .timestamp(let right)):
            Self.order(left, right)
        case (.double(let left), .double(let right)): Self.order(left, right)
        case (.int64(let left), .double(let right)): Self.order(whole: left, right)
        case (.double(let left), .int64(let right)): -Self.order(whole: right, left)
        default: nil
        }
    }

    private static func order(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    /// Compares exactly: doubles cannot represent every integer above 2^53.
    private static func order(whole left: Int64, _ right: Double) -> Int {
        guard right < 0x1p63 else { return -1 }
        guard right >= -0x1p63 else { return 1 }
        let floor = right.rounded(.down)
        let order = order(left, Int64(floor))
        return order == 0 && floor < right ? -1 : order
    }
}

extension PredicatePlace {
    /// The distance in meters, computed as the server computes it.
    func metres(from other: PredicatePlace) -> Double {
        CLLocation(latitude: latitude, longitude: longitude)
            .distance(from: CLLocation(latitude: other.latitude, longitude: other.longitude))
    }
}
