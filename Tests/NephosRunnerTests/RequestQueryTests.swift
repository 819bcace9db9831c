import CloudKitWire
import Testing

@testable import NephosRunner

/// docs/protocol.md, P7.
@Suite("Parameters of a URL") struct RequestQueryTests {
    /// One character of many bytes.
    private static let tall = "e" + String(repeating: "\u{301}", count: 200)

    @Test(
        "A clientId has at most 255 bytes; a longer one is ignored",
        arguments: [
            (String(repeating: "x", count: 255), true), (String(repeating: "x", count: 256), false),
            (String(repeating: "é", count: 127), true), (String(repeating: "é", count: 128), false),
            (tall, false), (String(repeating: "é", count: 255), false), ("a\u{1}b", false),
        ])
    func clientID(id: String, isTaken: Bool) {
        let query = RequestQuery("clientId=\(PercentCoding.encode(id))")
        #expect(query.clientID == (isTaken ? id : ""))
    }
}
