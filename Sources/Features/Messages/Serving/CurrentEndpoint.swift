import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Messages {
    /// `GET /nephos/1/CONTAINER/ENVIRONMENT/messages/current`: the message to show to the caller now, if there is one.
    static func current(_ memory: MessageCache) -> Endpoint {
        let unchanged = UnchangedAnswers()
        var endpoint = Endpoint("messages/current", at: .container, methods: [.get]) { call in
            guard let known = unchanged.answer(to: call), known.hours.contains(call.context.now) else {
                return try answer(call, memory, unchanged)
            }
            var set = memory.reading
            if let seen = known.seen { set.ask(seen) }
            return call.carryOut(set) { reading in
                let tags = EntityTags(call.call.request.headers[.ifNoneMatch])
                guard memory.generation(reading) == known.generation, known.seen.map({ reading[$0].isEmpty }) ?? true,
                    !tags.matchAll, tags.matchesWeakly("W/\"\(known.tag)\"")
                else { return try answer(call, memory, unchanged) }
                return .answer(call.unchanged(tag: known.tag))
            }
        }
        endpoint.takesFacts = true
        return endpoint
    }

    private static func answer(
        _ call: AdmittedCall, _ memory: MessageCache, _ unchanged: UnchangedAnswers
    ) throws -> Work {
        let question = try MessageQuestion(call, unchanged)
        // The cache is usually current, so the rows for its messages are read in the same step.
        let last = memory.last(of: call.tenant)
        let ahead = last.flatMap(question.seen)
        var set = question.reading(memory)
        if let ahead { set.ask(ahead) }
        return call.carryOut(set) { reading in
            let (generation, roles) = (memory.generation(reading), reading.memberships.first ?? [])
            if let ready = memory.ready(generation, of: call.tenant, now: call.context.now), ready === last {
                return question.answer(ready, generation, roles, ahead, ahead.map { reading[$0] } ?? [])
            }
            return .blocking {
                do {
                    let ready = try memory.load(call.store, now: call.context.now)
                    let scan = question.seen(ready)
                    return question.answer(
                        ready, generation, roles, scan, try scan.map { try call.store.rows($0) } ?? [])
                } catch let failure as SectionFailure {
                    let reason = "the settings of the container cannot be read by this server: \(failure)"
                    return call.failed(Refusal.badRequest(reason))
                } catch {
                    return call.failed(error)
                }
            }
        }
    }
}

/// A request for a message: the caller, and what their app reports.
struct MessageQuestion: Sendable {
    private let call: AdmittedCall
    private let words: AppParameters
    private let settings: MessageSettings
    private let type: RecordType
    private let slot: String
    /// Facts that the app claims, such as `subscribed`.
    private let state: Set<String>
    private let seer: MessageViewer
    private let unchanged: UnchangedAnswers

    init(_ call: AdmittedCall, _ unchanged: UnchangedAnswers) throws(Refusal) {
        (self.call, self.unchanged) = (call, unchanged)
        let parameters = RequestParameters(call.call.request.target)
        words = try AppParameters(parameters, now: call.context.now)
        let settings: MessageSettings?
        do throws(SectionFailure) { settings = try call.context.catalog.messages() } catch {
            throw .badRequest("the settings of the container cannot be read by this server: \(error)")
        }
        guard let settings else {
            throw .badRequest("the container has no messages: name their type under messages in the settings")
        }
        guard let type = call.context.catalog.types[settings.type] else {
            throw .badRequest("record type \(settings.type), named under messages in the settings, does not exist")
        }
        (self.settings, self.type) = (settings, type)
        slot = try parameters.value(of: "slot", most: 64) ?? settings.slots[0]
        guard settings.slots.contains(slot) else {
            throw .badRequest("slot must be one of \(settings.slots.joined(separator: ", "))")
        }
        let text = try parameters.value(of: "state", most: AppParameters.textMax) ?? ""
        state = Set(text.split(separator: ",").map(String.init))
        seer = MessageViewer(call, device: words.device)
    }

    /// The rows of messages that the caller may have seen; nil if there can be none.
    func seen(_ ready: ReadyMessages) -> Scan<SeenRow>? { ready.seen(by: seer, in: slot, at: call.context.now) }

    func reading(_ memory: MessageCache) -> ReadSet {
        var set = memory.reading
        if let user = call.context.caller.user { set.memberships = [user] }
        return set
    }

    // MARK: Responding

    /// How long a response with a picture's address stays unchanged at most.
    private static let pictureTime: Milliseconds = 120_000

    /// - Parameters:
    ///   - generation: Of the messages, or an earlier one.
    ///   - roles: Numbers of the caller's roles.
    ///   - scan: The scan for what they have seen; nil for none.
    ///   - seen: What they have seen.
    func answer(
        _ ready: ReadyMessages, _ generation: MessageCache.Generation, _ roles: [Int64], _ scan: Scan<SeenRow>?,
        _ seen: [SeenRow]
    ) -> Work {
        let answer = response(ready, generation, roles, scan, seen)
        guard !seen.isEmpty else { return .answer(answer) }
        // What the device showed before somebody signed in is taken over for them.
        let ofDevice = seen.filter { $0.seer != seer.personKey && !$0.isTakenOver }.map(\.message)
        guard !ofDevice.isEmpty, let taking = TransferSeen(ready.salts(of: Set(ofDevice)), by: seer) else {
            return .answer(answer)
        }
        return call.commit(taking.reading, decide: taking.decide) { answer }
    }

    private func response(
        _ ready: ReadyMessages, _ generation: MessageCache.Generation, _ roles: [Int64], _ scan: Scan<SeenRow>?,
        _ seen: [SeenRow]
    ) -> RawResponse {
        let context = words.context(of: call, roles: roles)
        let visibility = Visibility(call.context, type: type, roles: roles)
        var changesAt = ready.changesAt(after: context.now, in: slot)
        let spared = spared(seen, now: context.now)
        if let spared { changesAt = min(changesAt ?? spared, spared) }
        let item =
            spared != nil
            ? nil
            : ready.first(in: slot, for: context) { item in
                !seen.contains { $0.message == item.message.id } && visibility.shows(item.record)
            }
        let tag = tag(item, context, changesAt)
        // Remembered only for clients that send a tag, because only those may send this one.
        let isAsked = call.call.request.headers.contains(.ifNoneMatch)
        if isAsked, seen.isEmpty {
            // The address of a picture expires.
            let picture =
                item?.message.hasImage == true ? (context.now / Self.pictureTime + 1) * Self.pictureTime : .max
            unchanged.remember(
                UnchangedAnswers.Answer(
                    tag: tag, generation: generation, hours: context.now..<min(changesAt ?? .max, picture), seen: scan),
                to: call)
        }
        if isAsked {
            let tags = EntityTags(call.call.request.headers[.ifNoneMatch])
            if !tags.matchAll, tags.matchesWeakly("W/\"\(tag)\"") { return call.unchanged(tag: tag) }
        }
        var json = JSONWriter()
        json.beginObject()
        json.key("message")
        if let item { write(item, context, to: &json, withLinks: true) } else { json.null() }
        json.key("changesAt")
        if let changesAt { json.int64(changesAt) } else { json.null() }
        json.endObject()
        return call.answer(json.bytes, tag: tag)
    }

    /// Until when the caller is shown nothing because of the cap; nil if they are not at the cap.
    private func spared(_ seen: [SeenRow], now: Milliseconds) -> Milliseconds? {
        guard let cap = settings.cap, !seen.isEmpty else { return nil }
        var shown: [Name: Milliseconds] = [:]
        for row in seen { shown[row.message] = min(shown[row.message] ?? row.shownAt, row.shownAt) }
        return cap.end(Array(shown.values), now: now)
    }

    /// Made from what the response says: whatever else is saved, a draft or a message for others, does not change it.
    private func tag(
        _ item: ReadyMessages.Item?, _ context: EvaluationContext, _ changesAt: Milliseconds?
    ) -> String {
        var text = call.call.request.target
        var said = JSONWriter()
        if let item { write(item, context, to: &said, withLinks: false) }
        if let person = context.person { text += "\u{0}\(person)" }
        if !context.facts.isEmpty {
            for word in context.facts.map({ "\($0.key)=\($0.value)" }).sorted() { text += "\u{0}\(word)" }
        }
        let numbers = [
            said.bytes.withUnsafeBytes { xxHash64($0) }, UInt64(bitPattern: item?.record.sequence ?? 0),
            UInt64(bitPattern: changesAt ?? 0), text.withUTF8 { xxHash64(UnsafeRawBufferPointer($0)) },
            item?.message.hasImage == true ? UInt64(bitPattern: context.now / Self.pictureTime) : 0,
        ]
        return numbers.withUnsafeBytes { String(xxHash64($0), radix: 16) }
    }

    /// - Parameter withLinks: Whether the picture's URL is included, which expires.
    private func write(
        _ item: ReadyMessages.Item, _ context: EvaluationContext, to json: inout JSONWriter, withLinks: Bool
    ) {
        let message = item.message
        let view = MessageView(
            message, for: context.locale, else: settings.languages, isDone: isDone(message, context))
        json.beginObject()
        json.member("id", message.id)
        json.member("kind", message.kind.rawValue)
        json.member("schema", Message.schema)
        if item.round > 0 { json.member("round", item.round) }
        if let language = view.language { json.member("language", language) }
        if let title = view.title { json.member("title", title) }
        if let body = view.body { json.member("body", body) }
        json.key("list")
        json.beginArray()
        for entry in view.list { json.string(entry) }
        json.endArray()
        json.key("image")
        writeImage(item, view, to: &json, withLinks: withLinks)
        json.key("buttons")
        json.beginArray()
        for button in view.buttons {
            guard let title = button.title else { continue }
            json.beginObject()
            json.member("role", button.role.rawValue)
            json.member("title", title)
            if button.role == .action { writeAction(of: message, view, to: &json) }
            json.endObject()
        }
        json.endArray()
        json.key("until")
        if let until = message.until { json.int64(until) } else { json.null() }
        json.endObject()
    }

    private func writeImage(
        _ item: ReadyMessages.Item, _ view: MessageView, to json: inout JSONWriter, withLinks: Bool
    ) {
        let message = item.message
        guard message.hasImage || message.emoji != nil else { return json.null() }
        json.beginObject()
        if message.hasImage, withLinks, let source = AssetLinks(call).source(for: item.record),
            let (place, asset) = CanonicalFields.assets(in: item.record.fields).first(where: {
                $0.place.field == MessageField.image
            })
        {
            json.member("url", source(place, asset).downloadURL.replacing("${f}", with: "image"))
        } else if let emoji = message.emoji {
            json.member("emoji", emoji)
        }
        if let label = view.label { json.member("label", label) }
        json.key("decorative")
        json.bool(message.isDecorative || message.label == nil)
        json.endObject()
    }

    /// Depends on what is known: the app's version, or that the product was bought, as reported by the app or proved by a fact.
    private func isDone(_ message: Message, _ context: EvaluationContext) -> Bool {
        switch message.kind {
        case .newVersion:
            message.requires.map { requires in context.appVersion.map { $0 >= requires } ?? false } ?? false
        case .purchase: state.contains("subscribed") || context.facts["subscribed"] == .bool(true)
        case .information, .website, .email: false
        }
    }

    private func writeAction(of message: Message, _ view: MessageView, to json: inout JSONWriter) {
        guard let action = message.kind.action else { return }
        json.member("action", action)
        for (key, value) in [("url", message.url), ("to", message.mailTo), ("product", message.product)] {
            guard let value else { continue }
            json.key(named: Name(key))
            json.string(value)
        }
        if let subject = view.subject { json.member("subject", subject) }
    }
}
