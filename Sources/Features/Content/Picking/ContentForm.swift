import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The parts of a response that are known before its records.
struct ContentForm: Sendable {
    let request: ContentCall
    /// When it may change next without an edit; nil for never.
    let changesAt: Milliseconds?
    /// What the response is made from; nil for a response that differs each time. It changes with records that the caller may not
    /// see, so the tag is not made from it.
    private let source: Source?
    /// The parts of the tag that are known before the records.
    private let digest: [UInt8]
    private let times: [UInt64]
    private let tags: ResponseTags

    struct Source: Sendable, Hashable {
        let tenant: Tenant
        /// A container that was deleted and created again has another one.
        let signingKey: [UInt8]
        let type: TypeNumber
        let version, catalog: Int64
        /// Of the request and its caller.
        let digest: [UInt8]
        let times: [UInt64]
    }

    init(_ request: ContentCall, _ directory: PickDirectory, _ caller: PickCaller, _ tags: ResponseTags) {
        (self.request, changesAt, self.tags) = (request, directory.changesAt, tags)
        let question = request.question
        digest = question.digest(request.call, caller)
        // Between a record's start or end and the job that processes it, the version is the same.
        var times = [directory.index.moment <= caller.context.now ? UInt64(bitPattern: caller.context.now) : 0]
        // URLs of files expire.
        if request.type.fields.values.contains(where: { $0.kind == .asset || $0.kind == .assetList }) {
            times.append(UInt64(bitPattern: caller.context.now / 120_000))
        }
        self.times = times
        let catalog = request.call.context.catalog
        let isTagged = question.seed != nil || question.after != nil || question.isList
        source =
            isTagged
            ? Source(
                tenant: request.call.tenant, signingKey: catalog.head.signingKey, type: request.type.row.number,
                version: directory.index.version, catalog: catalog.version, digest: digest, times: times) : nil
    }

    /// The response if the caller already has this content, as far as that is known without its records; nil if not.
    func unchanged() -> RawResponse? {
        guard let source, let tag = self.tags.tag(of: source) else { return nil }
        let tags = EntityTags(request.call.call.request.headers[.ifNoneMatch])
        guard !tags.matchAll, tags.matchesWeakly("W/\"\(tag)\"") else { return nil }
        var answer = request.call.unchanged(tag: tag, kept: kept)
        answer.headers.append(Self.vary)
        return answer
    }

    /// - Parameter contents: Differ if the response does.
    func answer(_ body: [UInt8], saying contents: [UInt8]) -> RawResponse {
        let call = request.call
        let tag = source.map { source in
            var said = NumberWriter(digest)
            for time in times { said.number(Int64(bitPattern: time)) }
            said.counted(contents)
            let tag = said.bytes.withUnsafeBytes { String(xxHash64($0), radix: 16) }
            tags.store(tag, of: source)
            return tag
        }
        var answer = tag.map { call.answer(body, tag: $0, kept: kept) } ?? call.success(body)
        if tag == nil { answer.headers.append(("Cache-Control", call.kept(kept))) }
        answer.headers.append(Self.vary)
        return answer
    }

    /// Headers on which a response at the same address depends.
    private static let vary = (
        "Vary", "Authorization, X-API-Key, X-Nephos-Facts, X-Nephos-Client, X-Apple-CloudKit-Request-KeyID"
    )

    /// The response may be cached for a while for others with the same request, unless it is personal.
    private var kept: String {
        guard !request.question.isPersonal, request.question.seed == nil else { return "private, no-cache" }
        let seconds = min(60, max(0, ((changesAt ?? .max) - request.call.context.now) / 1_000))
        return "public, max-age=\(seconds)"
    }
}
