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
    /// nil for a response that differs each time.
    let tag: String?

    init(_ request: ContentCall, _ directory: PickDirectory, _ caller: PickCaller) {
        (self.request, changesAt) = (request, directory.changesAt)
        let question = request.question
        guard question.seed != nil || question.after != nil || question.isList else {
            tag = nil
            return
        }
        var numbers = [
            UInt64(bitPattern: directory.index.version), UInt64(bitPattern: request.call.context.catalog.version),
            question.print(request.call, caller), UInt64(bitPattern: changesAt ?? 0),
            // Between a record's start or end and the job that processes it, the version is the same.
            directory.index.moment <= caller.context.now ? UInt64(bitPattern: caller.context.now) : 0,
        ]
        // URLs of files expire.
        if request.type.fields.values.contains(where: { $0.kind == .asset || $0.kind == .assetList }) {
            numbers.append(UInt64(bitPattern: caller.context.now / 120_000))
        }
        tag = numbers.withUnsafeBytes { String(xxHash64($0), radix: 16) }
    }

    /// The response if the caller already has this content; nil if not.
    func unchanged() -> RawResponse? {
        guard let tag else { return nil }
        let tags = EntityTags(request.call.call.request.headers[.ifNoneMatch])
        guard !tags.matchAll, tags.matchesWeakly("W/\"\(tag)\"") else { return nil }
        var answer = request.call.unchanged(tag: tag, kept: kept)
        answer.headers.append(Self.vary)
        return answer
    }

    func answer(_ body: [UInt8]) -> RawResponse {
        let call = request.call
        var answer = tag.map { call.answer(body, tag: $0, kept: kept) } ?? call.success(body)
        if tag == nil { answer.headers.append(("Cache-Control", call.kept(kept))) }
        answer.headers.append(Self.vary)
        return answer
    }

    /// Headers on which a response at the same address depends.
    private static let vary = ("Vary", "Authorization, X-Nephos-Facts, X-Nephos-Client, X-Apple-CloudKit-Request-KeyID")

    /// The response may be cached for a while for others with the same request, unless it is personal.
    private var kept: String {
        guard !request.question.isPersonal, request.question.seed == nil else { return "private, no-cache" }
        let seconds = min(60, max(0, ((changesAt ?? .max) - request.call.context.now) / 1_000))
        return "public, max-age=\(seconds)"
    }
}
