import CloudKitWire
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
        coder.encodeContent(forKey: "CKLocationSortDescriptor") { writer in
            writer.archive("key", key ?? "")
            writer.archive("latitude", relativeLocation.coordinate.latitude)
            writer.archive("longitude", relativeLocation.coordinate.longitude)
        }
    }

    /// Returns nil for an archive that contains no such descriptor.
    public required convenience init?(coder: NSCoder) {
        var (key, latitude, longitude): (String?, Double?, Double?) = (nil, nil, nil)
        let isRead = coder.decodeContent(forKey: "CKLocationSortDescriptor") { reader, name throws(WireError) in
            switch name {
            case "key": key = try reader.archived()
            case "latitude": latitude = try reader.archived()
            case "longitude": longitude = try reader.archived()
            default: break
            }
        }
        guard isRead, let key, let latitude, let longitude else { return nil }
        self.init(key: key, relativeLocation: CLLocation(latitude: latitude, longitude: longitude))
    }
}
