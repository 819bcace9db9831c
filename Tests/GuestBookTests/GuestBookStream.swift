import NephosTesting

/// The stream of a guest book, for one thread at a time.
final class GuestBookStream {
    private let connection: HTTPConnection
    private var text = ""

    init(_ book: GuestBookServer, at server: Int = 0) throws {
        connection = try HTTPConnection(port: book.servers[server].port)
        try connection.send(
            HTTPRequest("GET", GuestBookServer.path + "stream?ckAPIToken=\(book.apiToken)", headers: [], body: nil))
        let head = try connection.head()
        guard head.status == 200 else { throw WrongAnswer(description: "a stream: \(head.status)") }
    }

    /// The content of the next event. Heartbeats are skipped.
    func next() throws -> JSON {
        while true {
            while let end = text.firstRange(of: "\n\n") {
                let event = text[..<end.lowerBound]
                text = String(text[end.upperBound...])
                let data = event.split(separator: "\n").first { $0.hasPrefix("data: ") }
                if let data { return try JSON(reading: Array(data.dropFirst(6).utf8)) }
            }
            guard let chunk = try connection.chunk() else { throw WrongAnswer(description: "the stream has ended") }
            text += String(decoding: chunk, as: UTF8.self)
        }
    }
}

struct WrongAnswer: Error { var description: String }
