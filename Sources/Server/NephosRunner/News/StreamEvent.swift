package import NephosStorage

/// An event of an ``EventStream``.
package struct StreamEvent: Sendable, Equatable {
    /// The id that the client sends when it reconnects (``Call/lastEventID``); nil leaves the previous one. ASCII without line breaks.
    package var id: String?
    /// ASCII without line breaks.
    package var name: String
    package var data: [UInt8]
    /// Whether another may follow immediately.
    package var hasMore: Bool

    package init(id: String? = nil, _ name: String, data: [UInt8], hasMore: Bool = false) {
        (self.id, self.name, self.data, self.hasMore) = (id, name, data, hasMore)
    }

    var bytes: [UInt8] {
        var bytes = Array((id.map { "id: \($0)\n" } ?? "").utf8)
        bytes += "event: \(name)\n".utf8
        for line in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            bytes += "data: ".utf8
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// The result of waking an ``EventStream``.
package struct StreamStep: Sendable {
    /// nil if there is nothing to send now.
    package var event: StreamEvent?
    /// When to wake although nobody posts anything; nil for never.
    package var wakesAt: Milliseconds?

    package init(_ event: StreamEvent?, wakesAt: Milliseconds? = nil) { (self.event, self.wakesAt) = (event, wakesAt) }
}

extension Call {
    /// The last event id that a client of a stream received before it reconnected; nil for the first connection.
    package var lastEventID: String? { query.lastEventID.map(String.init) ?? request.headers.first(.lastEventID) }
}
