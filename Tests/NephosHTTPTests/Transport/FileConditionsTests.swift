import NephosEndpoints
import NephosHTTP
import NephosRunner
import Testing

@Suite("Conditions and ranges of files (RFC 9110)")
struct FileConditionsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var headers: [(String, String)]
        var method = RequestMethod.get
        var size: Int64
        var verdict: FileConditions.Verdict

        init(_ headers: [(String, String)], size: Int64 = 1_000, _ verdict: FileConditions.Verdict) {
            self.headers = headers
            self.size = size
            self.verdict = verdict
        }

        init(_ headers: [(String, String)], _ method: RequestMethod, _ verdict: FileConditions.Verdict) {
            self.init(headers, verdict)
            self.method = method
        }

        init(range: String, size: Int64 = 1_000, _ verdict: FileConditions.Verdict) {
            self.init([("Range", range)], size: size, verdict)
        }

        var testDescription: String { "\(method) \(headers) of \(size)" }

        func verify() {
            let conditions = FileConditions(
                method: method, headers: RequestHeaders(headers.map { (name: $0.0, value: $0.1) }))
            #expect(conditions.verdict(tag: "\"a\"", size: size) == verdict)
        }
    }

    private static func part(_ first: Int64, _ length: Int64) -> FileConditions.Verdict {
        .part(ByteRange(first: first, length: length))
    }

    // RFC 9110 §14.1.1, §14.1.2, §14.2
    static let ranges = [
        Case(range: "bytes=0-0", part(0, 1)),
        Case(range: "bytes=0-499", part(0, 500)),
        Case(range: "bytes=500-999", part(500, 500)),
        Case(range: "bytes=500-", part(500, 500)),
        Case(range: "bytes=-500", part(500, 500)),
        Case(range: "bytes=-1", part(999, 1)),
        Case(range: "bytes=999-", part(999, 1)),
        Case(range: "bytes=0-", part(0, 1_000)),
        Case(range: "BYTES=1-2", part(1, 2)),
        Case(range: "bytes= 1-2", part(1, 2)),
        Case(range: "bytes=,1-2,", part(1, 2)),
        Case(range: "bytes=007-8", part(7, 2)),
        // The last byte may be after the end, and so may the start of a suffix range.
        Case(range: "bytes=500-5000", part(500, 500)),
        Case(range: "bytes=-5000", part(0, 1_000)),
        Case(range: "bytes=0-99999999999999999999", part(0, 1_000)),
        Case(range: "bytes=-99999999999999999999", part(0, 1_000)),
        // Nothing of it exists (§15.5.17).
        Case(range: "bytes=1000-", .unsatisfiable),
        Case(range: "bytes=1000-1000", .unsatisfiable),
        Case(range: "bytes=99999999999999999999-", .unsatisfiable),
        Case(range: "bytes=99999999999999999999-99999999999999999999", .unsatisfiable),
        Case(range: "bytes=-0", .unsatisfiable),
        // Several ranges may be answered with the whole file (§14.2).
        Case(range: "bytes=0-1,3-4", .whole),
        Case(range: "bytes=0-1,5000-", .whole),
        Case([("Range", "bytes=0-1"), ("Range", "bytes=3-4")], .whole),
        // An invalid range is ignored (§14.2).
        Case(range: "", .whole),
        Case(range: "bytes", .whole),
        Case(range: "bytes=", .whole),
        Case(range: "bytes=-", .whole),
        Case(range: "bytes=,", .whole),
        Case(range: "bytes=5", .whole),
        Case(range: "bytes=5-4", .whole),
        Case(range: "bytes=a-b", .whole),
        Case(range: "bytes=1-2-3", .whole),
        Case(range: "bytes=+1-2", .whole),
        Case(range: "bytes=1 - 2", .whole),
        Case(range: "bytes=1-٣", .whole),
        Case(range: "bytes=0x0-0x1", .whole),
        Case(range: "seconds=0-1", .whole),
        Case(range: "0-1", .whole),
        // An empty file has no valid range.
        Case(range: "bytes=0-", size: 0, .whole),
        Case(range: "bytes=-5", size: 0, .whole),
        Case(range: "bytes=5-6", size: 0, .whole),
        Case(range: "bytes=4999999999-", size: 5_000_000_000, part(4_999_999_999, 1)),
        Case(range: "bytes=9223372036854775806-", size: .max, part(.max - 1, 1)),
        // Only GET supports ranges.
        Case([("Range", "bytes=0-1")], .head, .whole),
        Case([("Range", "bytes=5000-")], .post, .whole),
    ]

    @Test("A single range is answered with a part", arguments: ranges)
    func range(_ row: Case) { row.verify() }

    static let conditions = [
        Case([], .whole),
        // §13.1.1: strong comparison.
        Case([("If-Match", "\"a\"")], .whole),
        Case([("If-Match", "\"b\", \"a\"")], .whole),
        Case([("If-Match", "\"b\""), ("If-Match", "\"a\"")], .whole),
        Case([("If-Match", "*")], .whole),
        Case([("If-Match", "\"b\"")], .preconditionFailed),
        Case([("If-Match", "W/\"a\"")], .preconditionFailed),
        Case([("If-Match", "a")], .preconditionFailed),
        Case([("If-Match", "\"a")], .preconditionFailed),
        Case([("If-Match", "\"b,\"a\"")], .preconditionFailed),
        // §13.1.2: weak comparison.
        Case([("If-None-Match", "\"a\"")], .notModified),
        Case([("If-None-Match", "\"a\"")], .head, .notModified),
        Case([("If-None-Match", "W/\"a\"")], .notModified),
        Case([("If-None-Match", "\"b\", \"x,y\" ,W/\"a\"")], .notModified),
        Case([("If-None-Match", "*")], .notModified),
        Case([("If-None-Match", "\"a\"")], .post, .preconditionFailed),
        Case([("If-None-Match", "\"b\"")], .whole),
        Case([("If-None-Match", "\"A\"")], .whole),
        Case([("If-None-Match", "a")], .whole),
        // §13.1.5: a range of a different file than the client's is not sent.
        Case([("Range", "bytes=1-2"), ("If-Range", "\"a\"")], part(1, 2)),
        Case([("Range", "bytes=1-2"), ("If-Range", "\"b\"")], .whole),
        Case([("Range", "bytes=1-2"), ("If-Range", "W/\"a\"")], .whole),
        Case([("Range", "bytes=1-2"), ("If-Range", "Sun, 06 Nov 1994 08:49:37 GMT")], .whole),
        Case([("Range", "bytes=5000-"), ("If-Range", "\"b\"")], .whole),
        Case([("Range", "bytes=5000-"), ("If-Range", "\"a\"")], .unsatisfiable),
        Case([("If-Range", "\"a\"")], .whole),
        // §13.2.2: in this order.
        Case([("If-Match", "\"b\""), ("If-None-Match", "\"a\"")], .preconditionFailed),
        Case([("If-Match", "\"a\""), ("If-None-Match", "\"a\"")], .notModified),
        Case([("If-None-Match", "\"a\""), ("Range", "bytes=5000-")], .notModified),
        Case([("If-Match", "\"b\""), ("Range", "bytes=1-2")], .preconditionFailed),
        Case([("If-None-Match", "\"b\""), ("Range", "bytes=1-2")], part(1, 2)),
    ]

    @Test("Conditions are evaluated before ranges", arguments: conditions)
    func condition(_ row: Case) { row.verify() }

    @Test("The sent part is named, and so is the size of what is not sent (RFC 9110 §14.4)")
    func contentRange() {
        #expect(ByteRange(first: 0, length: 1).contentRange(of: 1) == "bytes 0-0/1")
        #expect(ByteRange(first: 500, length: 500).contentRange(of: 1_000) == "bytes 500-999/1000")
        #expect(ByteRange.unsatisfiedContentRange(of: 1_000) == "bytes */1000")
    }
}
