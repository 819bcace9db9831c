import CloudKitWire

/// Dates as HTTP's `Date` header writes them (RFC 9110 §5.6.7).
enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT` for a number of seconds since 1970, which is not negative.
    static func text(second: Int64) -> String {
        let date = CivilTime(second: second)
        return "\(days[date.weekday]), \(CivilTime.two(date.day)) \(months[date.month - 1]) \(date.year) "
            + "\(CivilTime.two(date.hour)):\(CivilTime.two(date.minute)):\(CivilTime.two(date.second)) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
