public import CoreLocation
public import Foundation

/// A sort descriptor that sorts by the distance between a location field and a place, nearest first. Altitudes are
/// ignored.
public class CKLocationSortDescriptor: NSSortDescriptor, NSSecureCoding {
    /// The place that distances are measured from.
    public let relativeLocation: CLLocation

    /// Creates a descriptor that sorts by the distance between the location field `key` and a place. If the coordinates
    /// of the place are out of range, the query fails with `invalidArguments`.
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

    /// The place to measure from; nil if its coordinates are out of range.
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
