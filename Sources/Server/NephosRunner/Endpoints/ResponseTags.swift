import Synchronization

/// The tags of recent responses, by all that they were made from.
///
/// A tag is made from what a response says, so that it tells nothing else: what a response is made from also changes with records
/// that its reader may not see. With this memory a process still knows, before it makes a response, that a client has it already.
package final class ResponseTags<Source: Hashable & Sendable>: Sendable {
    /// Beyond this, one is forgotten for each new one.
    private let most = 4_096
    private let tags = Mutex<[Source: String]>([:])

    package init() {}

    /// The tag of a response that was made from the same; nil if it is not remembered.
    package func tag(of source: Source) -> String? { tags.withLock { $0[source] } }

    package func remember(_ tag: String, of source: Source) {
        tags.withLock { tags in
            if tags[source] == nil, tags.count >= most, let one = tags.keys.first { tags[one] = nil }
            tags[source] = tag
        }
    }
}
