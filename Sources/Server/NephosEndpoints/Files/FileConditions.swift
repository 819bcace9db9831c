package import NephosRunner

/// The conditions and ranges of a request for a file (RFC 9110 §13 and §14). Pure.
///
/// Files have strong tags and no date, so conditions on dates (`If-Modified-Since`, `If-Unmodified-Since`, a date in `If-Range`)
/// never hold, or are ignored.
package struct FileConditions {
    package enum Verdict: Sendable, Equatable {
        /// 200, the whole file.
        case whole
        /// 206, with ``ByteRange/contentRange(of:)``.
        case part(ByteRange)
        /// 304, with the tag and without a body.
        case notModified
        /// 412
        case preconditionFailed
        /// 416, with ``ByteRange/unsatisfiedContentRange(of:)``.
        case unsatisfiable
    }

    private let method: RequestMethod
    private let headers: RequestHeaders

    package init(method: RequestMethod, headers: RequestHeaders) {
        self.method = method
        self.headers = headers
    }

    /// Returns how to respond if the file exists.
    ///
    /// The order is that of RFC 9110 §13.2.2. A request for several ranges gets the whole file, which §14.2 allows; so does a
    /// range of an empty file, because none could be expressed.
    ///
    /// - Parameter tag: The file's entity tag, strong, in its quotes.
    package func verdict(tag: String, size: Int64) -> Verdict {
        let mayMatch = headers[.ifMatch]
        if !mayMatch.isEmpty, !EntityTags(mayMatch).matchesStrongly(tag) { return .preconditionFailed }
        let mayNotMatch = headers[.ifNoneMatch]
        if !mayNotMatch.isEmpty, EntityTags(mayNotMatch).matchesWeakly(tag) {
            return method == .get || method == .head ? .notModified : .preconditionFailed
        }
        // Only GET supports ranges (RFC 9110 §14.2).
        let ranges = headers[.range]
        guard method == .get, ranges.count == 1, size > 0, let range = RangeRequest(ranges[0]), isCurrent(tag)
        else { return .whole }
        return range.range(of: size).map(Verdict.part) ?? .unsatisfiable
    }

    /// Whether the range applies to this version of the file, if the request asks for that (RFC 9110 §13.1.5).
    private func isCurrent(_ tag: String) -> Bool {
        let known = headers[.ifRange]
        return known.isEmpty || (!tag.hasPrefix("W/") && known.allSatisfy { $0[...].trimmed == tag })
    }
}
