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

/// A geographic location, in degrees of WGS 84.
public struct CLLocationCoordinate2D: Sendable {
    /// The latitude, from -90 to 90; positive north of the equator.
    public var latitude: CLLocationDegrees
    /// The longitude, from -180 to 180; positive east of Greenwich.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate at latitude 0 and longitude 0.
    public init() { self.init(latitude: 0, longitude: 0) }

    /// Creates a coordinate. Numbers outside of their range are stored unchanged, and saving a record with them fails.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A location with the time and accuracy of its measurement. This class measures nothing itself: it is a value that records contain.
public class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The coordinate of the location.
    public let coordinate: CLLocationCoordinate2D
    /// The altitude in meters above sea level; valid only if `verticalAccuracy` is not negative.
    public let altitude: CLLocationDistance
    /// The radius of uncertainty of the coordinate, in meters; negative when the coordinate is not known.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The accuracy of the altitude, in meters; negative when the altitude is not known.
    public let verticalAccuracy: CLLocationAccuracy
    /// The direction of movement, in degrees from north, clockwise; negative when it is not known.
    public let course: CLLocationDirection
    /// The speed of movement, in meters per second; negative when it is not known.
    public let speed: CLLocationSpeed
    /// The time of the measurement.
    public let timestamp: Date

    /// Creates a location from a coordinate only: altitude, course and speed are not known, and the timestamp is the current time.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// Creates a measured location whose course and speed are not known.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    /// Creates a measured location with all of its values.
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

    /// Returns the distance in meters along the surface of a sphere with the earth's mean radius; altitudes are ignored. It differs by
    /// at most 0.6 % from the distance on the ellipsoid.
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

    /// Whether all values and the timestamps are equal.
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

    /// Returns nil for an archive without a location.
    public required convenience init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "latitude"), coder.containsValue(forKey: "timestamp") else { return nil }
        let numbers = Self.keys.map { coder.decodeDouble(forKey: $0) }
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: numbers[0], longitude: numbers[1]), altitude: numbers[2],
            horizontalAccuracy: numbers[3], verticalAccuracy: numbers[4], course: numbers[5], speed: numbers[6],
            timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp")))
    }
}
