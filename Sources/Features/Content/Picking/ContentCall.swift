import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A request for content, once it is known of which type.
struct ContentCall: Sendable {
    let call: AdmittedCall
    let question: ContentQuestion
    let type: RecordType
    let content: ContentType

    /// - Throws: For a type that is no content, or that is closed to who asks.
    init(_ call: AdmittedCall, _ question: ContentQuestion) throws(Refusal) {
        (self.call, self.question) = (call, question)
        content = try call.content(question.type)
        guard let type = call.context.catalog.types[question.type] else {
            throw .badRequest("there is no type \(question.type.excerpt)")
        }
        self.type = type
    }

    /// Finds out what who asks may have, and goes on with that.
    ///
    /// - Parameters:
    ///   - guess: What will be read next where a choice is still the same; it is read along then.
    ///   - body: Called with what was read, too.
    func choosing(
        _ memory: PickMemory, guess: (PickChoice) -> Scan<PickItemRow>? = { _ in nil },
        _ body: @escaping @Sendable (PickDirectory, PickChoice, ContentAnswer, Reading) throws -> Work
    ) -> Work {
        let index = PickIndexRow.of(type.row.number)
        var set = ReadSet()
        set.ask(index)
        if let user = call.context.caller.user { set.memberships = [user] }
        // Who named none has those of their choice.
        let own = question.collections.isEmpty ? try? ContentChoice(call, of: question.type) : nil
        if let own { set.append(own.reading) }
        if let last = memory.last(type.row.number, call.context.catalog, of: call.tenant),
            own == nil, set.memberships.isEmpty || !last.asksForRoles,
            !call.call.request.headers.contains(.ifNoneMatch),
            let asker = try? question.asker(call, call.context.catalog, roles: []),
            let scan = guess(PickChoice(last, for: asker))
        {
            set.ask(scan)
        }
        return call.carryOut(set) { reading in
            let roles = reading.memberships.first ?? []
            guard !Visibility(call.context, type: type, roles: roles).seesNothing else {
                throw Refusal.accessDenied("you may not read records of type \(type.row.name.excerpt)")
            }
            var asker: PickAsker
            do throws(SectionFailure) { asker = try question.asker(call, reading.catalog, roles: roles) } catch {
                throw Refusal.badRequest("the settings of the container cannot be read by this server: \(error)")
            }
            if let chosen = own?.collections(reading) { asker.collections = Set(chosen.map { Bytes($0.utf8) }) }
            let goOn: @Sendable (PickDirectory) throws -> Work = { [asker] directory in
                let choice = PickChoice(directory, for: asker)
                let answer = ContentAnswer(self, directory, choice, asker, roles: roles)
                if let unchanged = answer.unchanged() { return .answer(unchanged) }
                return try body(directory, choice, answer, reading)
            }
            guard let row = reading[index].first else { throw Self.isNotSorted }
            if let known = memory.directory(row, reading.catalog, of: call.tenant) { return try goOn(known) }
            return .blocking {
                do {
                    guard let directory = try memory.load(type.row.number, call.store) else { throw Self.isNotSorted }
                    return try goOn(directory)
                } catch {
                    return call.failed(error)
                }
            }
        }
    }

    private static var isNotSorted: Refusal {
        .tryAgainLater("what may be picked is being sorted: ask again", seconds: 1)
    }
}

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
        _ request: ContentCall, _ directory: PickDirectory, _ choice: PickChoice, _ asker: PickAsker, roles: [Int64]
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
        return !tags.matchAll && tags.matchesWeakly("W/\"\(tag)\"") ? call.unchanged(tag: tag) : nil
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
        let kept = kept
        if let tag { return call.answer(writer.bytes, tag: tag, kept: kept) }
        var answer = call.success(writer.bytes)
        answer.headers.append(("Cache-Control", kept))
        return answer
    }

    /// Whoever asks the same may have the answer for a while, unless it is for somebody.
    private var kept: String {
        guard !request.question.isPersonal, request.question.seed == nil else { return "private, no-cache" }
        let now = call.context.now
        let seconds = min(60, max(0, ((choice.changesAt ?? .max) - now) / 1_000))
        return "public, max-age=\(seconds)"
    }
}
