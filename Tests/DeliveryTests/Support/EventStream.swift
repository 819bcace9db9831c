import NephosTesting
import Testing

/// One event of a stream.
struct StreamEvent: Sendable, Equatable {
    var name = "message"
    var id: String?
    var data = ""
    var retry: String?
}

/// Reads server-sent events as browsers do (HTML, "Server-sent events"), from one connection.
final class EventStream {
    let head: HTTPResponse
    private let socket: Socket
    private var bytes: [UInt8] = []
    private var text: [UInt8] = []

    /// Requests a device's notifications as a stream. - Throws: ``NotNotified``, ``SystemError``.
    init(_ device: Device, lastEventID: String? = nil, inURL: Bool = false) throws {
        let port = device.container.cloud.server.port
        socket = try Socket(port: port)
        var headers = [HTTPHeader("Accept", "text/event-stream")]
        if let lastEventID, !inURL { headers.append(HTTPHeader("Last-Event-ID", lastEventID)) }
        let more = inURL ? "&lastEventId=\(percentEncoded(lastEventID ?? ""))" : ""
        try socket.send(HTTPRequest("GET", device.place + more, headers: headers).bytes(host: "127.0.0.1:\(port)"))
        var received: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while received.firstRange(of: end) == nil {
            let more = try socket.receive()
            guard !more.isEmpty else { throw NotNotified(description: "a stream without a head") }
            received += more
        }
        let range = received.firstRange(of: end) ?? 0..<0
        let lines = String(decoding: received[..<range.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        head = HTTPResponse(
            status: status,
            headers: lines.dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                return HTTPHeader(String(line[..<colon]), String(value))
            }, body: [])
        bytes = Array(received[range.upperBound...])
    }

    /// The next event; comments are skipped. nil at the end of the stream. - Throws: ``SystemError`` if none arrives.
    func next() throws -> StreamEvent? {
        while true {
            if let end = text.firstRange(of: Array("\n\n".utf8)) {
                let block = String(decoding: text[..<end.lowerBound], as: UTF8.self)
                text.removeFirst(end.upperBound)
                if let event = Self.event(block) { return event }
                continue
            }
            guard try readChunk() else { return nil }
        }
    }

    /// Everything up to the end of the stream.
    func rest() throws -> [StreamEvent] {
        var events: [StreamEvent] = []
        while let event = try next() { events.append(event) }
        return events
    }

    private static func event(_ block: String) -> StreamEvent? {
        var event = StreamEvent()
        var isEvent = false
        for line in block.split(separator: "\n") where !line.hasPrefix(":") {
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.count == 2 ? String(parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1]) : ""
            isEvent = true
            switch parts.first {
            case "event": event.name = value
            case "id": event.id = value
            case "retry": event.retry = value
            case "data": event.data += (event.data.isEmpty ? "" : "\n") + value
            default: break
            }
        }
        return isEvent ? event : nil
    }

    /// Appends one chunk of the transfer coding to the text. - Returns: Whether there was one before the end.
    private func readChunk() throws -> Bool {
        while true {
            if let end = bytes.firstRange(of: Array("\r\n".utf8)),
                let count = Int(String(decoding: bytes[..<end.lowerBound], as: UTF8.self), radix: 16),
                bytes.count >= end.upperBound + count + 2
            {
                text += bytes[end.upperBound..<end.upperBound + count]
                bytes.removeFirst(end.upperBound + count + 2)
                return count > 0
            }
            let more = try socket.receive()
            guard !more.isEmpty else { return false }
            bytes += more
        }
    }
}
