#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Takes the content of the first part out of a multipart body that comes in pieces (RFC 2046 §5.1, RFC 7578), and throws
/// away what is around it.
///
/// Nothing of the content is kept: it is handed on while it is looked through. Lines before it may end with LF alone, but
/// the content ends where CRLF, two hyphens and the boundary stand, and nowhere else.
package struct MultipartReader: Sendable {
    package enum Problem: Error, Sendable, Equatable {
        /// The content type is not multipart, or has no boundary as it should be.
        case noBoundary
        /// The boundary does not stand in the first 8 KB.
        case notMultipart
        /// There is no part between boundaries, or its headers are none.
        case malformedPart
        case headersTooLarge(bytesMax: Int)
        /// The body ended before its first part did.
        case endedEarly
    }

    /// What may stand before the first boundary; and the headers of a part.
    package static let headBytesMax = 8 << 10

    private enum Stage {
        case preamble(bytes: Int)
        case headers
        case content
        case over
    }

    /// The first part's `Content-Type`, as it stands there; nil when it has none, or its headers have not come.
    package private(set) var contentType: String?
    private var search: DelimiterSearch
    private var stage = Stage.preamble(bytes: 0)
    /// From behind the boundary to the end of the headers.
    private var head: [UInt8] = []

    /// - Parameter contentType: That of the request.
    package init(contentType: String) throws(Problem) {
        guard let boundary = MultipartBoundary.of(contentType) else { throw .noBoundary }
        search = DelimiterSearch(boundary: boundary)
    }

    /// Whether the first part has come whole. What follows is thrown away.
    package var isComplete: Bool { if case .over = stage { true } else { false } }

    /// Takes the next bytes of the body and gives `content` what they hold of the first part's content, in up to three
    /// pieces, none of them empty.
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
                if isFound { stage = .over }
                rest = rest.dropping(taken)
            case .over:
                return
            }
        }
    }

    /// The body has ended.
    package func finish() throws(Problem) {
        switch stage {
        case .preamble: throw .notMultipart
        case .headers, .content: throw .endedEarly
        case .over: break
        }
    }

    private mutating func takeHeaders(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> Int {
        for (index, byte) in bytes.enumerated() {
            head.append(byte)
            guard head.count <= Self.headBytesMax else { throw .headersTooLarge(bytesMax: Self.headBytesMax) }
            // Behind the boundary stands a line's end, behind the last one two hyphens.
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

/// Looks for CRLF, two hyphens and a boundary in bytes that come in pieces.
///
/// CR stands at its beginning and nowhere else in it. So where a match fails, none can have begun inside it, and what was
/// matched at the end of a piece need not be kept: it is the beginning of the delimiter.
private struct DelimiterSearch: Sendable {
    private let delimiter: [UInt8]
    /// How much of the delimiter the last piece ended with …
    private var matched = 2
    /// … and how much of that was not content, but the end of the line before it.
    private var foreign = 2

    init(boundary: String) { delimiter = Array("\r\n--".utf8) + Array(boundary.utf8) }

    var length: Int { delimiter.count }

    /// The next byte begins a line, so that the delimiter's CRLF has been already.
    mutating func startLine() {
        matched = 2
        foreign = 2
    }

    /// Gives `content` what stands before the delimiter. Answers how many bytes were used up, and whether the delimiter
    /// stood at their end.
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
            // Nearly always told by one byte, which matters for content that is full of line ends.
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

    /// Whether the match has come to its end; the next search begins anew then.
    private mutating func endMatch() -> Bool {
        guard matched == delimiter.count else { return false }
        (matched, foreign) = (0, 0)
        return true
    }
}
