public import CloudKitWire

/// One value that records are compared with. Values of one field are of one case.
public enum QueryValue: Sendable, Hashable {
    /// INT64, and TIMESTAMP in milliseconds since 1970 UTC.
    case integer(Int64)
    /// DOUBLE; finite, and never −0.0, which equals 0.0.
    case double(Double)
    /// STRING as UTF-8, BYTES decoded, REFERENCE as the record name that it contains, record names: compared byte by byte.
    case bytes(Bytes)
    /// The ID of a user.
    case user(UserID)
}

/// A place on the earth.
public struct Place: Sendable, Hashable {
    /// Degrees north of the equator, −90…90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180…180.
    public var longitude: Double

    /// Creates a place. Its numbers are not checked.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
