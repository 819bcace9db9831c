#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Extracts the content of the first part from a multipart body that arrives in pieces (RFC 2046 §5.1, RFC 7578), and discards
/// the rest.
///
/// The content is not buffered: it is passed on while it is scanned. Lines before it may end with LF alone, but the content ends
/// only at CRLF, two hyphens and the boundary.
package struct MultipartReader: Sendable {
    package enum Problem: Error, Sendable, Equatable {
        /// The content type is not multipart, or has no valid boundary.
        case noBoundary
        /// The boundary is not in the first 8 KB.
        case notMultipart
        /// There is no part between boundaries, or its headers are not valid.
        case malformedPart
        case headersTooLarge(bytesMax: Int)
        /// The body ended before its first part did.
        case endedEarly
    }

    /// The maximum size of the text before the first boundary, and of the headers of a part.
    package static let headBytesMax = 8 << 10

    private enum Stage {
        case preamble(bytes: Int)
        case headers
        case content
        case finished
    }

    /// The first part's `Content-Type`, unchanged; nil if it has none, or its headers have not arrived.
    package private(set) var contentType: String?
    private var search: DelimiterSearch
    private var stage = Stage.preamble(bytes: 0)
    /// From after the boundary to the end of the headers.
    private var head: [UInt8] = []

    /// - Parameter contentType: That of the request.
    package init(contentType: String) throws(Problem) {
        guard let boundary = MultipartBoundary.of(contentType) else { throw .noBoundary }
        search = DelimiterSearch(boundary: boundary)
    }

    /// Whether the first part is complete. What follows is discarded.
    package var isComplete: Bool { if case .finished = stage { true } else { false } }

    /// Takes the next bytes of the body and passes the first part's content in them to `content`, in up to three non-empty
    /// pieces.
    package mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ content: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var rest = bytes
        while !rest.isEmpty {
            switch stage {
            case .preamble(let before):
                let (taken, isFound) = search.take(rest) { _ in }
                guard before + taken <= Self.headBytesMax + search.length else { throw Problem.notMultipart }
                stage = isFound ? .headers : .preamble(bytes: before + taken)
                rest = rest.dropping(taken)
            case .headers:
                rest = rest.dropping(try takeHeaders(rest))
            case .content:
                let (taken, isFound) = try search.take(rest, content)
                if isFound { stage = .finished }
                rest = rest.dropping(taken)
            case .finished:
                return
            }
        }
    }

    /// Must be called when the body has ended.
    package func finish() throws(Problem) {
        switch stage {
        case .preamble: throw .notMultipart
        case .headers, .content: throw .endedEarly
        case .finished: break
        }
    }

    private mutating func takeHeaders(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> Int {
        for (index, byte) in bytes.enumerated() {
            head.append(byte)
            guard head.count <= Self.headBytesMax else { throw .headersTooLarge(bytesMax: Self.headBytesMax) }
            // After a boundary there is a line end, after the last one two hyphens.
            if head.count == 2, head == Array("--".utf8) { throw .malformedPart }
            guard byte == UInt8(ascii: "\n"), let headers = PartHeaders(head) else { continue }
            guard headers.isWellFormed else { throw .malformedPart }
            contentType = headers.contentType
            head = []
            stage = .content
            search.startLine()
            return index + 1
        }
        return bytes.count
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func dropping(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[count...])
    }
}

/// Searches for CRLF, two hyphens and a boundary in bytes that arrive in pieces.
///
/// The delimiter contains CR only at its start. So if a match fails, no other can have begun inside it, and what was matched at
/// the end of a piece need not be stored: it is a prefix of the delimiter.
private struct DelimiterSearch: Sendable {
    private let delimiter: [UInt8]
    /// The length of the delimiter's prefix at the end of the last piece …
    private var matched = 2
    /// … and how much of that was not content, but the end of the previous line.
    private var foreign = 2

    init(boundary: String) { delimiter = Array("\r\n--".utf8) + Array(boundary.utf8) }

    var length: Int { delimiter.count }

    /// The next byte begins a line, so the delimiter's CRLF has already been seen.
    mutating func startLine() {
        matched = 2
        foreign = 2
    }

    /// Passes what precedes the delimiter to `content`. Returns how many bytes were consumed, and whether the delimiter is at
    /// their end.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ content: (UnsafeRawBufferPointer) throws -> Void
    ) rethrows -> (taken: Int, isFound: Bool) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return (0, false) }
        if matched > 0 {
            let length = min(delimiter.count - matched, bytes.count)
            if matches(start, from: matched, length) {
                matched += length
                return (length, endMatch())
            }
            let (from, to) = (foreign, matched)
            (matched, foreign) = (0, 0)
            if from < to { try delimiter.withUnsafeBytes { try content(.init(rebasing: $0[from..<to])) } }
        }
        var at = 0
        while at < bytes.count, let found = memchr(start + at, 0x0D, bytes.count - at) {
            at = start.distance(to: UnsafeRawPointer(found))
            // Nearly always decided by one byte, which matters for content with many line ends.
            if at + 2 < bytes.count, bytes[at + 2] != delimiter[2] {
                at += 1
                continue
            }
            let length = min(delimiter.count, bytes.count - at)
            if matches(start + at, from: 0, length) {
                matched = length
                if at > 0 { try content(.init(start: start, count: at)) }
                return (at + length, endMatch())
            }
            at += 1
        }
        try content(bytes)
        return (bytes.count, false)
    }

    private func matches(_ bytes: UnsafeRawPointer, from: Int, _ length: Int) -> Bool {
        delimiter.withUnsafeBytes { delimiter in
            guard let start = delimiter.baseAddress else { return false }
            return memcmp(bytes, start + from, length) == 0
        }
    }

    /// Whether the match is complete; the next search then starts over.
    private mutating func endMatch() -> Bool {
        guard matched == delimiter.count else { return false }
        (matched, foreign) = (0, 0)
        return true
    }
}
