import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Messages {
    /// `GET /nephos/1/CONTAINER/ENVIRONMENT/messages/current`: the message to show whoever asks now, if there is one.
    static func current(_ memory: MessageMemory) -> Endpoint {
        var endpoint = Endpoint("messages/current", at: .container, methods: [.get]) { call in
            let question = try MessageQuestion(call)
            // Mostly what is remembered is still so: then what its messages need to know is read along.
            let last = memory.last(of: call.tenant)
            let ahead = last.flatMap(question.seen)
            var set = question.reading(memory)
            if let ahead { set.ask(ahead) }
            return call.carryOut(set) { reading in
                let (generation, roles) = (memory.generation(reading), reading.memberships.first ?? [])
                if let ready = memory.ready(generation, of: call.tenant, now: call.context.now), ready === last {
                    return question.answer(ready, generation, roles, ahead.map { reading[$0] } ?? [])
                }
                return .blocking {
                    do {
                        let ready = try memory.load(call.store, now: call.context.now)
                        let seen = try question.seen(ready).map { try call.store.rows($0) } ?? []
                        return question.answer(ready, generation, roles, seen)
                    } catch let failure as SectionFailure {
                        let reason = "the settings of the container cannot be read by this server: \(failure)"
                        return call.failed(Refusal.badRequest(reason))
                    } catch {
                        return call.failed(error)
                    }
                }
            }
        }
        endpoint.takesFacts = true
        return endpoint
    }
}

/// Who asks for a message, and what their app says.
struct MessageQuestion: Sendable {
    private let call: AdmittedCall
    private let words: AppWords
    private let settings: MessageSettings
    private let type: RecordType
    private let slot: String
    /// What the app claims to be so, such as `subscribed`.
    private let state: Set<String>
    private let seer: Seer

    init(_ call: AdmittedCall) throws(Refusal) {
        self.call = call
        let parameters = RequestParameters(call.call.request.target)
        words = try AppWords(parameters, now: call.context.now)
        let settings: MessageSettings?
        do throws(SectionFailure) { settings = try call.context.catalog.messages() } catch {
            throw .badRequest("the settings of the container cannot be read by this server: \(error)")
        }
        guard let settings else {
            throw .badRequest("the container has no messages: name their type under messages of the settings")
        }
        guard let type = call.context.catalog.types[settings.type] else {
            throw .badRequest("there is no type \(settings.type), which messages of the settings names")
        }
        (self.settings, self.type) = (settings, type)
        slot = try parameters.value(of: "slot", most: 64) ?? settings.slots[0]
        guard settings.slots.contains(slot) else {
            throw .badRequest("slot is one of \(settings.slots.joined(separator: ", "))")
        }
        let text = try parameters.value(of: "state", most: AppWords.textMax) ?? ""
        state = Set(text.split(separator: ",").map(String.init))
        seer = Seer(call, device: words.device)
    }

    /// What is stored of what who asks has seen; nil where that can be nothing.
    func seen(_ ready: ReadyMessages) -> Scan<SeenRow>? { ready.seen(by: seer, in: slot, at: call.context.now) }

    func reading(_ memory: MessageMemory) -> ReadSet {
        var set = memory.reading
        if let user = call.context.caller.user { set.memberships = [user] }
        return set
    }

    // MARK: Answering

    /// - Parameters:
    ///   - generation: Of the messages, or one before.
    ///   - roles: Numbers of the roles of who asks.
    ///   - seen: What they have seen.
    func answer(
        _ ready: ReadyMessages, _ generation: MessageMemory.Generation, _ roles: [Int64], _ seen: [SeenRow]
    ) -> Work {
        let answer = response(ready, generation, roles, Set(seen.map(\.message)))
        // What the device showed before somebody signed in is theirs from now on.
        guard let person = seer.personKey,
            let message = seen.lazy.map(\.message).first(where: { message in
                !seen.contains { $0.message == message && $0.seer == person }
            })
        else { return .answer(answer) }
        let note = NoteSeen(
            message: message, seer: seer, event: nil, button: "", now: call.context.now, salt: [])
        return call.commit(note.reading, decide: note.decide) { answer }
    }

    private func response(
        _ ready: ReadyMessages, _ generation: MessageMemory.Generation, _ roles: [Int64], _ seen: Set<Name>
    ) -> RawResponse {
        let context = words.context(of: call, roles: roles)
        let visibility = Visibility(call.context, type: type, roles: roles)
        let changesAt = ready.changesAt(after: context.now)
        let item = ready.open(in: slot, for: context).first {
            !seen.contains($0.message.id) && visibility.shows($0.record)
        }
        let tag = tag(item, generation, context, changesAt)
        let tags = EntityTags(call.call.request.headers[.ifNoneMatch])
        if !tags.matchAll, tags.matchesWeakly("W/\"\(tag)\"") { return call.unchanged(tag: tag) }
        var json = JSONWriter()
        json.beginObject()
        json.key("message")
        if let item { write(item, context, to: &json) } else { json.null() }
        json.key("changesAt")
        if let changesAt { json.int64(changesAt) } else { json.null() }
        json.endObject()
        return call.answer(json.bytes, tag: tag)
    }

    private func tag(
        _ item: ReadyMessages.Item?, _ generation: MessageMemory.Generation, _ context: EvaluationContext,
        _ changesAt: Milliseconds?
    ) -> String {
        var text = call.call.request.target
        for word in [item?.message.id.text ?? "", context.person ?? ""]
            + context.facts.map({ "\($0.key)=\($0.value)" }).sorted()
        {
            text += "\u{0}\(word)"
        }
        let numbers = [
            UInt64(bitPattern: generation.catalog), UInt64(bitPattern: generation.change),
            UInt64(bitPattern: changesAt ?? 0), Array(text.utf8).withUnsafeBytes { xxHash64($0) },
            // The address of a picture is good for a while only.
            item?.message.hasImage == true ? UInt64(bitPattern: context.now / 120_000) : 0,
        ]
        return numbers.withUnsafeBytes { String(xxHash64($0), radix: 16) }
    }

    private func write(_ item: ReadyMessages.Item, _ context: EvaluationContext, to json: inout JSONWriter) {
        let message = item.message
        func text(_ text: LocalizedText) -> String { text.text(for: context.locale, else: settings.languages).text }
        json.beginObject()
        json.member("id", message.id)
        json.member("kind", message.kind.rawValue)
        json.member("schema", Message.schema)
        if let title = message.title {
            json.member("language", title.text(for: context.locale, else: settings.languages).name)
            json.member("title", text(title))
        }
        if let body = message.body { json.member("body", text(body)) }
        json.key("list")
        json.beginArray()
        for entry in message.list { json.string(text(entry)) }
        json.endArray()
        json.key("image")
        writeImage(item, text, to: &json)
        json.key("buttons")
        json.beginArray()
        for role in message.kind.roles(isDone: isDone(message, context)) {
            guard let title = message.buttons[role] else { continue }
            json.beginObject()
            json.member("role", role.rawValue)
            json.member("title", text(title))
            if role == .action { writeAction(of: message, text, to: &json) }
            json.endObject()
        }
        json.endArray()
        json.key("until")
        if let until = message.until { json.int64(until) } else { json.null() }
        json.endObject()
    }

    private func writeImage(_ item: ReadyMessages.Item, _ text: (LocalizedText) -> String, to json: inout JSONWriter) {
        let message = item.message
        guard message.hasImage || message.emoji != nil else { return json.null() }
        json.beginObject()
        if message.hasImage, let source = AssetLinks(call).source(for: item.record),
            let (place, asset) = CanonicalFields.assets(in: item.record.fields).first(where: {
                $0.place.field == MessageField.image
            })
        {
            json.member("url", source(place, asset).downloadURL.replacing("${f}", with: "image"))
        } else if let emoji = message.emoji {
            json.member("emoji", emoji)
        }
        if let label = message.label { json.member("label", text(label)) }
        json.key("decorative")
        json.bool(message.isDecorative || message.label == nil)
        json.endObject()
    }

    /// By what is known: the app's version, or that the product was bought, as the app says or a fact proves.
    private func isDone(_ message: Message, _ context: EvaluationContext) -> Bool {
        switch message.kind {
        case .newVersion:
            message.requires.map { requires in context.appVersion.map { $0 >= requires } ?? false } ?? false
        case .purchase: state.contains("subscribed") || context.facts["subscribed"] == .bool(true)
        case .information, .website, .email: false
        }
    }

    private func writeAction(of message: Message, _ text: (LocalizedText) -> String, to json: inout JSONWriter) {
        guard let action = message.kind.action else { return }
        json.member("action", action)
        for (key, value) in [("url", message.url), ("to", message.mailTo), ("product", message.product)] {
            guard let value else { continue }
            json.key(named: Name(key))
            json.string(value)
        }
        if let subject = message.mailSubject { json.member("subject", text(subject)) }
    }
}
