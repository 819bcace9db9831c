import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// What is known of an answer before it is known what it holds.
struct ContentForm: Sendable {
    let request: ContentCall
    /// When time alone may change it next; nil for never.
    let changesAt: Milliseconds?
    /// nil for an answer that is another each time.
    let tag: String?

    init(_ request: ContentCall, _ directory: PickDirectory, _ asker: PickAsker) {
        (self.request, changesAt) = (request, directory.changesAt)
        let question = request.question
        guard question.seed != nil || question.after != nil || question.isList else {
            tag = nil
            return
        }
        var numbers = [
            UInt64(bitPattern: directory.index.version), UInt64(bitPattern: request.call.context.catalog.version),
            question.print(request.call, asker), UInt64(bitPattern: changesAt ?? 0),
            // Between a moment and the work that notes it the version is the same.
            directory.index.moment <= asker.context.now ? UInt64(bitPattern: asker.context.now) : 0,
        ]
        // URLs of files are good for a while only.
        if request.type.fields.values.contains(where: { $0.kind == .asset || $0.kind == .assetList }) {
            numbers.append(UInt64(bitPattern: asker.context.now / 120_000))
        }
        tag = numbers.withUnsafeBytes { String(xxHash64($0), radix: 16) }
    }

    /// That who asks has the answer already; nil where they have not.
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
        if tag == nil { answer.headers.append(("Cache-Control", kept)) }
        answer.headers.append(Self.vary)
        return answer
    }

    /// Who shows any of these by the same address has another answer.
    private static let vary = ("Vary", "Authorization, X-Nephos-Facts, X-Nephos-Client, X-Apple-CloudKit-Request-KeyID")

    /// Whoever asks the same may have the answer for a while, unless it is for somebody.
    private var kept: String {
        guard !request.question.isPersonal, request.question.seed == nil else { return "private, no-cache" }
        let seconds = min(60, max(0, ((changesAt ?? .max) - request.call.context.now) / 1_000))
        return "public, max-age=\(seconds)"
    }
}
