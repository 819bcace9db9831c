/// A location value of a request, with only the keys that were given.
struct LocationValue {
    private var altitude: Double?
    private var course: Double?
    private var horizontalAccuracy: Double?
    private var latitude: Double?
    private var longitude: Double?
    private var speed: Double?
    /// Milliseconds as received: nearly always whole, and then kept whole.
    private var timestamp: ArraySlice<UInt8>?
    private var verticalAccuracy: Double?

    init(_ reader: inout JSONReader) throws(WireError) {
        try reader.readObject { reader, key throws(WireError) in
            if try reader.readNull() { return }
            switch key {
            case "altitude": altitude = try reader.readDouble()
            case "course": course = try reader.readDouble()
            case "horizontalAccuracy": horizontalAccuracy = try reader.readDouble()
            case "latitude": latitude = try reader.readDouble()
            case "longitude": longitude = try reader.readDouble()
            case "speed": speed = try reader.readDouble()
            case "timestamp": timestamp = try reader.readNumber()
            case "verticalAccuracy": verticalAccuracy = try reader.readDouble()
            default: break
            }
        }
        guard let latitude else { throw WireError("a location needs a latitude from -90 to 90") }
        guard (-90...90).contains(latitude) else { throw WireError("latitude \(latitude) is not from -90 to 90") }
        guard let longitude else { throw WireError("a location needs a longitude from -180 to 180") }
        guard (-180...180).contains(longitude) else {
            throw WireError("longitude \(longitude) is not from -180 to 180")
        }
        if let timestamp, JSONNumber.double(timestamp) == nil { throw FieldValueEncoder.invalid(.location) }
    }

    /// In degrees, validated.
    var place: (latitude: Double, longitude: Double) { (latitude ?? 0, longitude ?? 0) }

    func append(to out: inout [UInt8]) {
        out.append(UInt8(ascii: "{"))
        append("\"altitude\":", altitude, to: &out)
        append("\"course\":", course, to: &out)
        append("\"horizontalAccuracy\":", horizontalAccuracy, to: &out)
        append("\"latitude\":", latitude, to: &out)
        append("\"longitude\":", longitude, to: &out)
        append("\"speed\":", speed, to: &out)
        if let timestamp, let whole = JSONNumber.int64(timestamp) {
            appendKey("\"timestamp\":", to: &out)
            out.appendDecimal(whole)
        } else {
            append("\"timestamp\":", timestamp.flatMap(JSONNumber.double), to: &out)
        }
        append("\"verticalAccuracy\":", verticalAccuracy, to: &out)
        out.append(UInt8(ascii: "}"))
    }

    /// - Parameter key: With its quotes and colon.
    private func append(_ key: StaticString, _ value: Double?, to out: inout [UInt8]) {
        guard let value else { return }
        appendKey(key, to: &out)
        out.appendShortest(value)
    }

    private func appendKey(_ key: StaticString, to out: inout [UInt8]) {
        if out.last != UInt8(ascii: "{") { out.append(UInt8(ascii: ",")) }
        out.append(key)
    }
}
