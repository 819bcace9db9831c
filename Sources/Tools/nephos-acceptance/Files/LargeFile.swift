import Foundation
import NephosTesting

/// A file that is too large for the client's memory: a repeated piece of a million bytes, each marked with its number.
struct LargeFile {
    static let pieceBytes = 1_000_000

    let pieces: Int
    var size: Int { pieces * Self.pieceBytes }

    private static let pattern: [UInt8] = {
        var dice = SeededGenerator(seed: 1)
        return (0..<pieceBytes).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    }()

    private func piece(_ number: Int) -> [UInt8] {
        var bytes = Self.pattern
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return bytes
    }

    /// Uploads it to an upload URL. - Returns: The value for a field.
    func upload(to url: String, _ client: CloudKitClient) throws -> JSON {
        let connection = try HTTPConnection(port: client.port, timeout: 120)
        let length = HTTPHeader("Content-Length", "\(size)")
        try connection.send(HTTPRequest("POST", try CloudKitClient.target(of: url), headers: [length]))
        for number in 0..<pieces { try connection.socket.send(piece(number)) }
        let answer = try connection.response()
        guard answer.status == 200 else {
            throw UnusableFileAnswer(description: "a large upload answered \(answer.status): \(try answer.json)")
        }
        return try answer.json["singleFile"]
    }

    /// Downloads it, and compares it with the upload.
    ///
    /// - Returns: The difference, in words; nil if there is none.
    func difference(at url: String, _ client: CloudKitClient) throws -> String? {
        let connection = try HTTPConnection(port: client.port, timeout: 120)
        try connection.send(HTTPRequest("GET", try CloudKitClient.target(of: url)))
        var received: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while received.firstRange(of: end) == nil {
            let bytes = try connection.socket.receive()
            if bytes.isEmpty { return "the download ended inside its head" }
            received += bytes
        }
        let head = received.firstRange(of: end)?.upperBound ?? 0
        guard received.starts(with: Array("HTTP/1.1 200 ".utf8)) else {
            return "the download answered \(String(decoding: received.prefix(head), as: UTF8.self))"
        }
        received.removeFirst(head)
        for number in 0..<pieces {
            while received.count < Self.pieceBytes {
                let bytes = try connection.socket.receive(atMost: 1 << 18)
                if bytes.isEmpty { return "the download ended in piece \(number) of \(pieces)" }
                received += bytes
            }
            // In a debug build, comparing collections would take most of the time.
            let isSame = received.withUnsafeBytes { received in
                piece(number).withUnsafeBytes { piece in
                    guard let one = received.baseAddress, let other = piece.baseAddress else { return false }
                    return memcmp(one, other, piece.count) == 0
                }
            }
            guard isSame else { return "piece \(number) differs" }
            received = Array(received[Self.pieceBytes...])
        }
        return received.isEmpty ? nil : "\(received.count) bytes followed the end"
    }
}
