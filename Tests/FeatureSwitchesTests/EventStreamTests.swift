import Testing

@testable import FeatureSwitches

/// WHATWG HTML, "Interpreting an event stream".
@Suite("Events of a stream") struct EventStreamTests {
    private static let examples: [(text: String, events: [EventStream.Event])] = [
        ("data: a\n\n", [.init(data: "a")]), ("data:a\r\n\r\ndata: b\r\r", [.init(data: "a"), .init(data: "b")]),
        ("data: a\ndata:  b\n\n", [.init(data: "a\n b")]), (": comment\n\n", []), ("data\n\n", [.init(data: "")]),
        ("event: x\ndata: a\nid: 1\nretry: 5\n\n", [.init(type: "x", data: "a")]),
        ("event: x\n\ndata: a\n\n", [.init(data: "a")]),
        ("data: a", []), ("data: a\n", []), ("\u{FEFF}data: é\n\n", [.init(data: "é")]),
        ("newer: a\ndata: b\n\n", [.init(data: "b")]),
    ]

    @Test("Events are read from pieces of any size", arguments: examples)
    func pieces(text: String, events: [EventStream.Event]) {
        for size in 1...8 {
            var stream = EventStream()
            var found: [EventStream.Event] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                found += stream.take(rest.prefix(size)) ?? []
                rest = rest.dropFirst(size)
            }
            #expect(found == events, "\(size)")
        }
    }

    @Test("A line or an event that is too long ends the stream")
    func endless() {
        var line = EventStream()
        #expect(line.take(Array(repeating: UInt8(ascii: "x"), count: 1 << 20)) == [])
        #expect(line.take([UInt8(ascii: "x")]) == nil)
        var event = EventStream()
        let text = Array(("data: " + String(repeating: "x", count: 1_000) + "\n").utf8)
        #expect((0..<2_000).contains { _ in event.take(text) == nil })
        // Lines without a text take memory too.
        var empty = EventStream()
        let lines = Array(String(repeating: "data\n", count: 1_000).utf8)
        #expect((0..<2_000).contains { _ in empty.take(lines) == nil })
    }
}
