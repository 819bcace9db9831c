import CoreLocation

enum CLLocationOrigin {
    /// The intersection of the equator and the prime meridian.
    static var location: CLLocation { CLLocation(latitude: 0, longitude: 0) }
}
