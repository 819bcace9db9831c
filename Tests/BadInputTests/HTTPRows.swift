import NephosTesting
import Testing

/// Bytes that are not a valid request, or too many (docs/protocol.md, Limits).
extension BadInput {
    @Suite struct HTTP {
        static let head =
            "POST /database/1/CONTAINER/development/private/records/lookup?CREDENTIALS HTTP/1.1\r\nHost: x\r\n"

        static let malformed: [Row] = [
            .raw("no HTTP at all", "hello\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw("HTTP/0.9", "GET /healthz\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw("HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw(
                "the hello of TLS", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}\r\n\r\n",
                .refused(400, "BAD_REQUEST", "HTTP")),
            .raw("a method that is none", "G\u{1}T / HTTP/1.1\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw(
                "a NUL in the target", "GET /database/1/\u{0}/ HTTP/1.1\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw("a header without a colon", head + "Broken\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw("a NUL in a header", head + "X: a\u{0}b\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw("a length that is none", head + "Content-Length: x\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw("a negative length", head + "Content-Length: -1\r\n\r\n", .refused(400, "BAD_REQUEST", "HTTP")),
            .raw(
                "a length beyond 64 bits", head + "Content-Length: 99999999999999999999999\r\n\r\n",
                .refused(400, "BAD_REQUEST", "HTTP")),
            .raw(
                "two lengths", head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}}",
                .refused(400, "BAD_REQUEST", "HTTP")),
            .raw(
                "a length and chunks", head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                .refused(400, "BAD_REQUEST", "HTTP")),
            .raw(
                "a chunk size that is none", head + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                .refused(400, "BAD_REQUEST", "HTTP")),
            .raw(
                "a chunk longer than it says", head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}{}\r\n0\r\n\r\n",
                .refused(400, "BAD_REQUEST", "HTTP")),
        ]

        static let tooMuch: [Row] = [
            .target("a URL of 8 KB", "/" + String(repeating: "a", count: 8_192), .refused(414, "BAD_REQUEST", "URL")),
            .target(
                "a query of 64 KB", "/x?y=" + String(repeating: "a", count: 65_536), .refused(414, "BAD_REQUEST", "URL")
            ),
            .raw(
                "a header of 16 KB", head + "X: \(String(repeating: "a", count: 16_384))\r\n\r\n",
                .refused(431, "BAD_REQUEST", "headers")),
            .raw(
                "many headers", head + String(repeating: "X: y\r\n", count: 3_000) + "\r\n",
                .refused(431, "BAD_REQUEST", "headers")),
            .raw(
                "headers without end",
                head + String(repeating: "X-Y: \(String(repeating: "z", count: 90))\r\n", count: 2_000),
                .refused(431, "BAD_REQUEST", "headers")),
            .raw(
                "a body of 16 MB and 1 byte, announced", head + "Content-Length: \((16 << 20) + 1)\r\n\r\n",
                .refused(413, "BAD_REQUEST", "body")),
            .raw(
                "a body of 16 EB, announced", head + "Content-Length: \(Int64.max)\r\n\r\n",
                .refused(413, "BAD_REQUEST", "body")),
            .raw(
                "a body of 2^63 bytes, announced", head + "Content-Length: 9223372036854775808\r\n\r\n",
                .refused(413, "BAD_REQUEST", "body")),
            .raw(
                "a body of 2^64 - 1 bytes, announced", head + "Content-Length: \(UInt64.max)\r\n\r\n",
                .refused(413, "BAD_REQUEST", "body")),
            .raw(
                "a compressed body", head + "Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n",
                .refused(415, "BAD_REQUEST", "compressed")),
            Row("a body of 16 MB and 1 byte, in chunks", .refused(413, "BAD_REQUEST", "body")) { target in
                let connection = try HTTPConnection(port: target.server.port)
                let head = head.replacing("CONTAINER", with: target.container)
                    .replacing("CREDENTIALS", with: target.adaQuery)
                try connection.socket.send(
                    Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8))
                let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 0x20, count: 1 << 20) + Array("\r\n".utf8)
                // The server may reject the request before everything is sent, and then accepts no more.
                do { for _ in 0..<17 { try connection.socket.send(chunk) } } catch is SystemError {}
                return try connection.response()
            },
        ]

        @Test(arguments: malformed) func whatIsNoRequestIsRefused(_ row: Row) throws { try row.prove() }
        @Test(arguments: tooMuch) func whatIsTooMuchIsRefused(_ row: Row) throws { try row.prove() }
    }
}
