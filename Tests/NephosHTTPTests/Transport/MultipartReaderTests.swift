import NephosEndpoints
import NephosHTTP
import NephosRunner
import Testing

@Suite("The first part of a multipart body (RFC 2046 §5.1, RFC 7578)")
struct MultipartReaderTests {
    private static let type = "multipart/form-data; boundary=AbC"

    /// The first part's content and content type, of a body that arrives in pieces of `size` bytes.
    private static func read(
        _ body: [UInt8], type: String = type, inPiecesOf size: Int = .max
    ) throws -> (content: [UInt8], contentType: String?) {
        var reader = try MultipartReader(contentType: type)
        var content: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            try rest.prefix(size).withUnsafeBytes { piece in
                try reader.take(piece) {
                    #expect(!$0.isEmpty)
                    content += $0
                }
            }
            rest = rest.dropFirst(size)
        }
        try reader.finish()
        #expect(reader.isComplete)
        return (content, reader.contentType)
    }

    private static func read(_ body: String, type: String = type, inPiecesOf size: Int = .max) throws -> String {
        String(decoding: try read(Array(body.utf8), type: type, inPiecesOf: size).content, as: UTF8.self)
    }

    static let bodies: [(body: String, content: String)] = [
        ("--AbC\r\n\r\nx\r\n--AbC--\r\n", "x"),
        ("--AbC\r\n\r\nx\r\n--AbC", "x"),
        ("--AbC  \t\r\nA: b\r\n\r\nx\r\n--AbC--", "x"),
        ("preamble\r\n--not it\r\n--AbC\r\n\r\nx\r\n--AbC--\r\nepilogue", "x"),
        ("\r\n--AbC\r\n\r\nx\r\n--AbC--", "x"),
        ("--AbC\n\nx\r\n--AbC--", "x"),
        ("--AbC\nA: b\n\r\nx\r\n--AbC--", "x"),
        ("--AbC\r\n\r\n\r\n--AbC--", ""),
        ("--AbC\r\n\r\n--AbC--", ""),
        ("--AbC\r\n\r\nfirst\r\n--AbC\r\n\r\nsecond\r\n--AbC--", "first"),
        ("--AbC\r\n\r\n\r\nx\r\n\r\n--AbC--", "\r\nx\r\n"),
        ("--AbC\r\n\r\nx\n--AbC\r\r\n--AbC--", "x\n--AbC\r"),
        ("--AbC\r\n\r\n--AbD\r\n--ABC\r\n--Ab\r\n-AbC\r\nAbC\r\n--AbC--", "--AbD\r\n--ABC\r\n--Ab\r\n-AbC\r\nAbC"),
        ("--AbC\r\n\r\n\r\r\n\r\n-\r\n--\r\n--A\r\n--AbC--", "\r\r\n\r\n-\r\n--\r\n--A"),
        ("--AbC\r\n\r\na--AbC--b\r\n--AbCd", "a--AbC--b"),
    ]

    @Test("The content is what is between its boundary lines, however the body is split", arguments: bodies)
    func content(body: String, content: String) throws {
        for size in [.max, 1, 2, 3, 5, 7] { #expect(try Self.read(body, inPiecesOf: size) == content) }
    }

    static let problems: [(body: String, problem: MultipartReader.Problem)] = [
        ("", .notMultipart),
        ("{}", .notMultipart),
        ("x--AbC\r\n\r\nx\r\n--AbD--", .notMultipart),
        (String(repeating: "x", count: 9_000) + "\r\n--AbC\r\n\r\nx\r\n--AbC--", .notMultipart),
        ("--AbC--\r\n", .malformedPart),
        ("--AbCd\r\n\r\nx\r\n--AbC--", .malformedPart),
        ("--AbC\r\nno header\r\n\r\nx\r\n--AbC--", .malformedPart),
        ("--AbC\r\nA: \(String(repeating: "x", count: 9_000))\r\n\r\nx\r\n--AbC--", .headersTooLarge(bytesMax: 8_192)),
        ("--AbC", .endedEarly),
        ("--AbC\r\nA: b\r\n", .endedEarly),
        ("--AbC\r\n\r\n", .endedEarly),
        ("--AbC\r\n\r\nx", .endedEarly),
        ("--AbC\r\n\r\nx\r\n--Ab", .endedEarly),
        ("--AbC\n\nx\n--AbC--\n", .endedEarly),
    ]

    @Test("A body without a complete first part is an error", arguments: problems)
    func problem(body: String, problem: MultipartReader.Problem) {
        for size in [.max, 1, 2, 7] {
            #expect(throws: problem) { try Self.read(body, inPiecesOf: size) }
        }
    }

    @Test(
        "The boundary is found in every spelling",
        arguments: [
            "multipart/form-data;boundary=AbC", "Multipart/Form-Data ; Charset=utf-8; BOUNDARY=\"AbC\"",
            "multipart/mixed; x=\"a;b\\\"c\"; boundary=AbC; y", "multipart/related; a; boundary = \"A\\bC\"",
        ])
    func boundary(type: String) throws {
        #expect(try Self.read("--AbC\r\n\r\nx\r\n--AbC--", type: type) == "x")
    }

    @Test(
        "A content type without a boundary is an error",
        arguments: [
            "", "multipart/form-data", "multipart/form-data; boundary", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"AbC", "application/json; boundary=AbC",
            "multipart/form-data; boundary=\"A\r\nC\"", "multipart/form-data; boundary=\"AbC \"",
            "multipart/form-data; boundary=" + String(repeating: "x", count: 71), "multipart/form-data; aboundary=AbC",
        ])
    func noBoundary(type: String) {
        #expect(throws: MultipartReader.Problem.noBoundary) { try MultipartReader(contentType: type) }
    }

    static let partHeaders: [(headers: String, contentType: String?)] = [
        ("Content-Disposition: form-data; name=\"f\"; filename=\"ä\"\r\ncontent-type:  a/png \r\n", "a/png"),
        ("Content-Type: a/b; c=d\r\nContent-Type: second\r\n", "a/b; c=d"),
        ("X: y\r\n Content-Type: folded\r\n", nil), ("", nil), ("Content-Type:\r\n", ""),
    ]

    @Test("The part's content type is returned unchanged", arguments: partHeaders)
    func contentType(headers: String, expected: String?) throws {
        for size in [.max, 1, 3] {
            let body = "--AbC\r\n\(headers)\r\nx\r\n--AbC--"
            #expect(try Self.read(Array(body.utf8), inPiecesOf: size).contentType == expected)
        }
    }

    @Test("Any content is read unchanged, in pieces of any size", arguments: 1...200)
    func anyContent(seed: UInt64) throws {
        var dice = TransportInterleavingTests.Dice(state: seed)
        // Parts of the delimiter, repeated, without ever being complete.
        let delimiter = Array("\r\n--AbC".utf8)
        var content: [UInt8] = []
        for _ in 0..<dice.roll(200) {
            switch dice.roll(4) {
            case 0: content += delimiter.prefix(dice.roll(delimiter.count))
            case 1: content += delimiter.suffix(dice.roll(delimiter.count))
            case 2: content.append(UInt8(truncatingIfNeeded: dice.roll(256)))
            default: content.append(UInt8(ascii: "\r"))
            }
        }
        // The line before the content ends in CRLF, so that counts as well.
        var whole = Array("\r\n".utf8) + content
        while let at = whole.firstRange(of: delimiter) { whole[at.upperBound - 1] = UInt8(ascii: "D") }
        content = Array(whole.dropFirst(2))
        let body =
            Array("--AbC\r\nContent-Type: a/b\r\n\r\n".utf8) + content + delimiter
            + Array("\r\n\r\nsecond\r\n--AbC--".utf8)
        var reader = try MultipartReader(contentType: Self.type)
        var taken: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let count = 1 + dice.roll(dice.roll(2) == 0 ? 10 : 200)
            try rest.prefix(count).withUnsafeBytes { try reader.take($0) { taken += $0 } }
            rest = rest.dropFirst(count)
        }
        try reader.finish()
        #expect(taken == content)
        #expect(reader.contentType == "a/b")
    }
}
