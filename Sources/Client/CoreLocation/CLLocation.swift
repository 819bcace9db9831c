public import Foundation

/// An angle in degrees of WGS 84.
public typealias CLLocationDegrees = Double
/// A radius in meters; negative when it is not known.
public typealias CLLocationAccuracy = Double
/// A distance or an altitude in meters.
public typealias CLLocationDistance = Double
/// A speed in meters per second; negative when it is not known.
public typealias CLLocationSpeed = Double
/// A direction in degrees from north, clockwise; negative when it is not known.
public typealias CLLocationDirection = Double

/// A place on the earth, in degrees of WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// North of the equator, -90 to 90.
    public var latitude: CLLocationDegrees
    /// East of Greenwich, -180 to 180.
    public var longitude: CLLocationDegrees

    /// The place at 0 degrees north and 0 degrees east.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// A place. Numbers outside of their range are kept, and fail the save of a record.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A place, and when and how well it was measured. This one measures nothing itself: it is a value, as records hold it.
public class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Where it is.
    public let coordinate: CLLocationCoordinate2D
    /// Meters above sea level; meaningful only where `verticalAccuracy` is not negative.
    public let altitude: CLLocationDistance
    /// The radius in meters within which the place is; negative when the place is not known.
    public let horizontalAccuracy: CLLocationAccuracy
    /// How exact the altitude is, in meters; negative when the altitude is not known.
    public let verticalAccuracy: CLLocationAccuracy
    /// Where it was moving to, in degrees from north, clockwise; negative when it is not known.
    public let course: CLLocationDirection
    /// How fast it was moving, in meters per second; negative when it is not known.
    public let speed: CLLocationSpeed
    /// When it was measured.
    public let timestamp: Date

    /// A place alone: no altitude, course or speed is known, and the time is now.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// A measured place whose course and speed are not known.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// A measured place, with all that may be known of it.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    /// The distance in meters along the surface, on a sphere of the earth's mean radius; heights do not count. At most 0.6 % from the
    /// distance on the ellipsoid.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        let (one, other) = (coordinate, location.coordinate)
        let radians = Double.pi / 180
        let (north, east) = (
            sin((other.latitude - one.latitude) * radians / 2), sin((other.longitude - one.longitude) * radians / 2)
        )
        let haversine =
            north * north + cos(one.latitude * radians) * cos(other.latitude * radians) * east * east
        return 2 * 6_371_008.8 * asin(min(1, haversine.squareRoot()))
    }

    // MARK: Equality, copies, archives

    /// Whether all that was measured is the same.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLLocation else { return false }
        return numbers == other.numbers && timestamp == other.timestamp
    }

    public override var hash: Int { (numbers.map(\.hashValue) + [timestamp.hashValue]).hashValue }

    public override var description: String {
        "<\(coordinate.latitude), \(coordinate.longitude)> ± \(horizontalAccuracy) m @ \(timestamp)"
    }

    private var numbers: [Double] {
        [
            coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy, course, speed,
        ]
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public static var supportsSecureCoding: Bool { true }

    private static let keys = [
        "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed",
    ]

    public func encode(with coder: NSCoder) {
        for (key, number) in zip(Self.keys, numbers) { coder.encode(number, forKey: key) }
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
    }

    /// Nil for an archive that holds no location.
    public required convenience init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "latitude"), coder.containsValue(forKey: "timestamp") else { return nil }
        let numbers = Self.keys.map { coder.decodeDouble(forKey: $0) }
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]), altitude: numbers[2],
            horizontalAccuracy: numbers[3], verticalAccuracy: numbers[4], course: numbers[5], speed: numbers[6],
            timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp")))
    }
}
