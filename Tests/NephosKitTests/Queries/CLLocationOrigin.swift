import CoreLocation

enum CLLocationOrigin {
    /// Where the equator and the first meridian meet.
    static var location: CLLocation { CLLocation(latitude: 0, longitude: 0) }
}
