import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Records of content on their way to an answer.
struct ContentAnswer: Sendable {
    let request: ContentCall
    let choice: PickChoice
    private let roles: [Int64]
    /// nil for an answer that is another each time.
    private let tag: String?
    private(set) var records: [StoredRecord] = []
    private var names: Set<Name> = []

    private var call: AdmittedCall { request.call }

    init(
        _ request: ContentCall, _ directory: PickDirectory, _ choice: PickChoice, _ asker: PickAsker, _ roles: [Int64]
    ) {
        (self.request, self.choice, self.roles) = (request, choice, roles)
        let question = request.question
        guard question.seed != nil || question.after != nil || question.isList else {
            tag = nil
            return
        }
        var numbers = [
            UInt64(bitPattern: directory.index.version), UInt64(bitPattern: request.call.context.catalog.version),
            question.print(request.call, asker), UInt64(bitPattern: choice.changesAt ?? 0),
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
        let tags = EntityTags(call.call.request.headers[.ifNoneMatch])
        guard !tags.matchAll, tags.matchesWeakly("W/\"\(tag)\"") else { return nil }
        var answer = call.unchanged(tag: tag, kept: kept)
        answer.headers.append(Self.vary)
        return answer
    }

    // MARK: Records

    var isFull: Bool { records.count >= request.question.count }
    var missing: Int { request.question.count - records.count }

    func has(_ name: Name) -> Bool { names.contains(name) }

    /// Takes a record that was found, unless it is another by now than it was sorted as, or is not to be seen.
    ///
    /// - Returns: Whether it was taken.
    @discardableResult
    mutating func take(_ found: Found) -> Bool {
        guard case .record(let row) = found, row.type == request.type.row.number, !names.contains(row.name),
            Visibility(call.context, type: request.type, roles: roles).shows(row),
            choice.admits(
                PickPlacement(row, request.content, request.type, at: call.context.now))
        else { return false }
        names.insert(row.name)
        records.append(StoredRecord(row: row, type: request.type))
        return true
    }

    static func key(_ name: Name) -> RecordKey { RecordKey(zone: .name(Content.database, defaultZoneName), name: name) }

    // MARK: Answering

    /// - Parameter after: From where the next request goes on; nil at the end.
    func response(after: String?) -> RawResponse {
        var writer = AnswerWriter(reserving: 256 + 1_024 * records.count, call)
        writer.json.beginObject()
        let zone = call.context.identity(defaultZoneName)
        writer.array("records") { writer in
            for record in records {
                writer.record(record, zone, RecordStyle())
            }
        }
        writer.json.member("eligible", choice.eligible)
        if choice.eligible == 0 {
            writer.json.key("why")
            choice.why.write(to: &writer.json)
        }
        writer.json.key("changesAt")
        if let time = choice.changesAt { writer.json.int64(time) } else { writer.json.null() }
        if let after { writer.json.member("after", after) }
        writer.json.endObject()
        var answer = tag.map { call.answer(writer.bytes, tag: $0, kept: kept) } ?? call.success(writer.bytes)
        if tag == nil { answer.headers.append(("Cache-Control", kept)) }
        answer.headers.append(Self.vary)
        return answer
    }

    /// Who shows any of these by the same address has another answer.
    private static let vary = ("Vary", "X-Nephos-Facts, X-Nephos-Client, X-Apple-CloudKit-Request-KeyID")

    /// Whoever asks the same may have the answer for a while, unless it is for somebody.
    private var kept: String {
        guard !request.question.isPersonal, request.question.seed == nil else { return "private, no-cache" }
        let now = call.context.now
        let seconds = min(60, max(0, ((choice.changesAt ?? .max) - now) / 1_000))
        return "public, max-age=\(seconds)"
    }
}
