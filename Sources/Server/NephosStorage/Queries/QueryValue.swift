public import CloudKitWire

/// A value that records are compared with. All values of one field are of the same case.
public enum QueryValue: Sendable, Hashable {
    /// The value of an INT64, or of a TIMESTAMP in milliseconds since 1970 UTC.
    case integer(Int64)
    /// The value of a DOUBLE: finite, and never −0.0, which equals 0.0.
    case double(Double)
    /// The bytes of a STRING in UTF-8, of decoded BYTES, of the record name in a REFERENCE, or of a record name.
    /// Compared byte by byte.
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

    /// Creates a place, without checking its coordinates.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
