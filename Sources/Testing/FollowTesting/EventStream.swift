/// Parses server-sent events from the bytes of a response, as they arrive.
struct EventStream {
    struct Event: Equatable {
        var id = "", name = "", data = ""
    }

    private var received: [UInt8] = []
    private var hasHead = false
    /// The unread contents of the chunks.
    private var text: [UInt8] = []

    /// - Throws: ``UnexpectedAnswer`` for a response that is not a stream.
    mutating func take(_ bytes: [UInt8]) throws -> [Event] {
        received += bytes
        if !hasHead {
            guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { return [] }
            let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
            guard head.hasPrefix("HTTP/1.1 200 "), head.contains("text/event-stream") else {
                throw UnexpectedAnswer(description: "no stream: \(String(decoding: received, as: UTF8.self))")
            }
            received.removeSubrange(..<end.upperBound)
            hasHead = true
        }
        while takeChunk() {}
        return takeEvents()
    }

    private mutating func takeChunk() -> Bool {
        guard let line = received.firstRange(of: Array("\r\n".utf8)),
            let count = Int(String(decoding: received[..<line.lowerBound], as: UTF8.self), radix: 16), count > 0,
            received.count >= line.upperBound + count + 2
        else { return false }
        text += received[line.upperBound..<line.upperBound + count]
        received.removeSubrange(..<(line.upperBound + count + 2))
        return true
    }

    private mutating func takeEvents() -> [Event] {
        var events: [Event] = []
        while let end = text.firstRange(of: Array("\n\n".utf8)) {
            let lines = String(decoding: text[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
            text.removeSubrange(..<end.upperBound)
            var event = Event()
            for line in lines {
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
            }
            // Heartbeats are comments.
            if !event.name.isEmpty { events.append(event) }
        }
        return events
    }
}
