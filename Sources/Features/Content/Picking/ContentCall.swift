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

    /// Conditions that are judged on a thread that may take its time, where there are more.
    private static let inlineStepsMax = 2_000

    /// Finds out what who asks may have, and goes on with that.
    ///
    /// - Parameters:
    ///   - readsRoles: Roles of who asks are needed, whatever was remembered.
    ///   - guess: What will be read next where a choice is still the same: it is read along then.
    ///   - body: Called with what was read, too.
    func choosing(
        _ memory: PickMemory, readsRoles: Bool = false,
        guess: @escaping @Sendable (PickChoice) -> Scan<PickItemRow>? = { _ in nil },
        _ body: @escaping @Sendable (ContentAnswer, Reading) throws -> Work
    ) throws -> Work {
        let index = PickIndexRow.of(type.row.number)
        var set = ReadSet()
        set.ask(index)
        let last = memory.last(type.row.number, call.context.catalog, of: call.tenant)
        let readsRoles = readsRoles || last?.asksForRoles ?? true
        let users = readsRoles ? call.context.caller.user.map { [$0] } : call.context.memberships(for: [type])
        set.memberships = users ?? []
        // Who named none has those of their choice.
        let own = question.collections.isEmpty ? try ContentChoice(call, of: question.type) : nil
        if let own { set.append(own.reading) }
        let ahead = own == nil ? last.flatMap(choiceAhead) : nil
        if let ahead, let scan = guess(ahead) { set.ask(scan) }
        return call.carryOut(set) { reading in
            let roles = reading.memberships.first ?? []
            guard !Visibility(call.context, type: type, roles: roles).seesNothing else {
                throw Refusal.accessDenied("you may not read records of type \(type.row.name.excerpt)")
            }
            guard let row = reading[index].first else { throw Self.isNotSorted }
            let asker = question.asker(call, roles: roles, chosen: own?.collections(reading))
            let goOn: @Sendable (PickDirectory, PickChoice?) throws -> Work = { directory, choice in
                // Since it was remembered something came that is for roles.
                guard readsRoles || !directory.asksForRoles || call.context.caller.user == nil else {
                    return try choosing(memory, readsRoles: true, guess: guess, body)
                }
                let form = ContentForm(self, directory, asker)
                // Who has the answer already needs nothing of what it holds.
                if let unchanged = form.unchanged() { return .answer(unchanged) }
                return try body(ContentAnswer(form, choice ?? PickChoice(directory, for: asker), roles), reading)
            }
            if let last, last.holds(row, reading.catalog, at: call.context.now) {
                guard last.steps > Self.inlineStepsMax else { return try goOn(last, ahead) }
                return later { try goOn(last, nil) }
            }
            return later {
                guard let directory = try memory.load(type.row.number, call.store, now: call.context.now) else {
                    throw Self.isNotSorted
                }
                return try goOn(directory, nil)
            }
        }
    }

    /// What somebody may have by what is remembered, where that can be said before anything is read.
    private func choiceAhead(_ directory: PickDirectory) -> PickChoice? {
        guard directory.steps <= Self.inlineStepsMax, call.context.caller.user == nil || !directory.asksForRoles,
            // Who has the answer already needs nothing of it.
            !call.call.request.headers.contains(.ifNoneMatch)
        else { return nil }
        return PickChoice(directory, for: question.asker(call, roles: [], chosen: nil))
    }

    /// On a thread that may wait.
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
        .tryAgainLater("what may be picked is being sorted: ask again", seconds: 1)
    }
}
