/// Parses a stream of server-sent events that arrives in arbitrary chunks (WHATWG HTML, "Interpreting an event stream").
struct EventStream {
    struct Event: Equatable {
        var type = "message"
        var data = ""
    }

    /// Maximum number of bytes of a line and of an event.
    private static let bytesMax = 1 << 20

    private var line: [UInt8] = []
    private var type = ""
    private var data: [String] = []
    private var dataBytes = 0
    /// Whether the last byte was a carriage return, which a line feed may follow.
    private var isAfterReturn = false
    private var isAtStart = true

    /// - Returns: The events that are now complete; nil if one exceeds the size limit.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Event]? {
        var events: [Event] = []
        for byte in bytes {
            defer { isAfterReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where isAfterReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default:
                guard line.count < Self.bytesMax, dataBytes <= Self.bytesMax else { return nil }
                line.append(byte)
            }
        }
        return events
    }

    /// - Returns: The event that ends with this line.
    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        var line = line[...]
        if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isAtStart = false
        guard !line.isEmpty else { return endEvent() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": type = text
        case "data":
            data.append(text)
            // A line counts even if it is empty: it takes memory too.
            dataBytes += value.count + 1
        // Comments, which begin with a colon, and fields that are not used here.
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer { (type, data, dataBytes) = ("", [], 0) }
        guard !data.isEmpty else { return nil }
        return Event(type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"))
    }
}
