import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// A request for content of a known type.
struct ContentCall: Sendable {
    let call: AdmittedCall
    let question: ContentQuestion
    let type: RecordType
    let content: ContentType

    /// - Throws: For a type that is not content, or that the caller may not access.
    init(_ call: AdmittedCall, _ question: ContentQuestion) throws(Refusal) {
        (self.call, self.question) = (call, question)
        content = try call.content(question.type)
        guard let type = call.context.catalog.types[question.type] else {
            throw .badRequest("there is no type \(question.type.excerpt)")
        }
        self.type = type
    }

    /// With more conditions than this, they are evaluated on a thread that may block.
    private static let inlineStepsMax = 2_000

    /// Determines what the caller may have, and continues with that.
    ///
    /// - Parameters:
    ///   - readsRoles: Whether the caller's roles are needed, regardless of the cache.
    ///   - guess: The next scan if the cached choice is still current; it is read in the same step.
    ///   - body: Also receives what was read.
    func choosing(
        _ cache: PickCache, readsRoles: Bool = false,
        guess: @escaping @Sendable (PickChoice) -> Scan<PickItemRow>? = { _ in nil },
        _ body: @escaping @Sendable (ContentAnswer, Reading) throws -> Work
    ) throws -> Work {
        let index = PickIndexRow.of(type.row.number)
        var set = ReadSet()
        set.ask(index)
        let last = cache.last(type.row.number, call.context.catalog, of: call.tenant)
        let readsRoles = readsRoles || last?.asksForRoles ?? true
        let users = readsRoles ? call.context.caller.user.map { [$0] } : call.context.memberships(for: [type])
        set.memberships = users ?? []
        // If the request names no collections, the person's choice is used.
        let own = question.collections.isEmpty ? try ContentChoice(call, of: question.type) : nil
        if let own { set.append(own.reading) }
        let ahead = own == nil ? last.flatMap(choiceAhead) : nil
        if let ahead, let scan = guess(ahead) { set.ask(scan) }
        return call.carryOut(set) { reading in
            let roles = reading.memberships.first ?? []
            let visibility = Visibility(call.context, type: type, roles: roles)
            guard !visibility.seesNothing else {
                throw Refusal.accessDenied("you are not allowed to read records of type \(type.row.name.excerpt)")
            }
            // Counts and positions would say that others have created records.
            guard !visibility.seesOnlyOwn else {
                throw Refusal.accessDenied(
                    "you are allowed to read only those records of type \(type.row.name.excerpt) that you have created: query them instead"
                )
            }
            guard let row = reading[index].first else { throw Self.isNotSorted }
            let caller = question.caller(call, roles: roles, chosen: own?.collections(reading))
            let proceed: @Sendable (PickDirectory, PickChoice?) throws -> Work = { directory, choice in
                // Since the cached version, content was added that depends on roles.
                guard readsRoles || !directory.asksForRoles || call.context.caller.user == nil else {
                    return try choosing(cache, readsRoles: true, guess: guess, body)
                }
                let form = ContentForm(self, directory, caller, cache.tags)
                // A caller that already has this response needs no records.
                if let unchanged = form.unchanged() { return .answer(unchanged) }
                return try body(ContentAnswer(form, choice ?? PickChoice(directory, for: caller), roles), reading)
            }
            if let last, last.holds(row, reading.catalog, at: call.context.now) {
                guard last.steps > Self.inlineStepsMax else { return try proceed(last, ahead) }
                return later { try proceed(last, nil) }
            }
            return later {
                guard let directory = try cache.load(type.row.number, call.store, now: call.context.now) else {
                    throw Self.isNotSorted
                }
                return try proceed(directory, nil)
            }
        }
    }

    /// The choice according to the cache, if it is known before anything is read.
    private func choiceAhead(_ directory: PickDirectory) -> PickChoice? {
        guard directory.steps <= Self.inlineStepsMax, call.context.caller.user == nil || !directory.asksForRoles,
            // A caller that may already have the response probably needs no records.
            !call.call.request.headers.contains(.ifNoneMatch)
        else { return nil }
        return PickChoice(directory, for: question.caller(call, roles: [], chosen: nil))
    }

    /// Runs on a thread that may block.
    private func later(_ body: @escaping @Sendable () throws -> Work) -> Work {
        .blocking {
            do { return try body() } catch let failure as SectionFailure {
                let reason = "the settings of the container cannot be read by this server: \(failure)"
                return call.failed(Refusal.badRequest(reason))
            } catch {
                return call.failed(error)
            }
        }
    }

    private static var isNotSorted: Refusal {
        .tryAgainLater("the content is still being indexed: try again", seconds: 1)
    }
}
