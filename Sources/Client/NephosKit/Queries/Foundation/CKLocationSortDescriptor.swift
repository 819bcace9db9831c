public import CoreLocation
public import Foundation

/// Sorts by the distance between a location field and a place, the nearest first. Altitudes do not count.
public class CKLocationSortDescriptor: NSSortDescriptor, NSSecureCoding {
    /// The place that distances are measured from.
    public let relativeLocation: CLLocation

    /// Sorts by the distance between the location field `key` and a place. A place that is nowhere on earth fails the
    /// query with `invalidArguments`.
    public init(key: String, relativeLocation: CLLocation) {
        self.relativeLocation = relativeLocation
        let place = Self.place(relativeLocation)
        super.init(keyPath: SortedValue.path(key), ascending: true) { left, right in
            SortedValue.compare(Self.distance(left, place), Self.distance(right, place))
        }
    }

    convenience init(key: String, place: PredicatePlace) {
        self.init(key: key, relativeLocation: CLLocation(latitude: place.latitude, longitude: place.longitude))
    }

    /// nil for a location that lies nowhere on earth.
    var place: PredicatePlace? { Self.place(relativeLocation) }

    private static func place(_ location: CLLocation) -> PredicatePlace? {
        PredicatePlace(latitude: location.coordinate.latitude, longitude: location.coordinate.longitude)
    }

    private static func distance(_ value: Any, _ place: PredicatePlace?) -> SortedValue {
        guard let place, case .location(let found) = (value as? SortedValue)?.value else { return SortedValue() }
        return SortedValue(value: .double(place.metres(from: found)))
    }

    // MARK: Archives

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode((key ?? "") as NSString, forKey: "key")
        coder.encode(relativeLocation.coordinate.latitude, forKey: "latitude")
        coder.encode(relativeLocation.coordinate.longitude, forKey: "longitude")
    }

    public required convenience init?(coder: NSCoder) {
        guard let key = coder.decodeObject(of: NSString.self, forKey: "key") else { return nil }
        let location = CLLocation(
            latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude"))
        self.init(key: String(key), relativeLocation: location)
    }
}
