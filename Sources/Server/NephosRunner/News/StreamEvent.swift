package import NephosStorage

/// One of the events of an ``EventStream``.
package struct StreamEvent: Sendable, Equatable {
    /// What the client shows when it was cut off and comes again (``Call/lastEventID``); nil leaves that as it was. ASCII without line
    /// breaks.
    package var id: String?
    /// ASCII without line breaks.
    package var name: String
    package var data: [UInt8]
    /// Whether another may follow at once.
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

/// What an ``EventStream`` does when it was woken.
package struct StreamStep: Sendable {
    /// nil where there is nothing to tell now.
    package var event: StreamEvent?
    /// When it is woken though nobody posts anything; nil for never.
    package var wakesAt: Milliseconds?

    package init(_ event: StreamEvent?, wakesAt: Milliseconds? = nil) { (self.event, self.wakesAt) = (event, wakesAt) }
}

extension Call {
    /// Where a client of a stream stood when it was connected last; nil for the first time.
    package var lastEventID: String? { query.lastEventID.map(String.init) ?? request.headers.first(.lastEventID) }
}
