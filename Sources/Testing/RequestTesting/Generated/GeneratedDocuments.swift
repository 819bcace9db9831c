import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting

/// Settings and records that bytes decide, used as apps use them: any bytes are a valid file. Unlike random bytes, most of what they
/// become is valid, so that evaluation is reached.
package struct GeneratedDocuments: Sendable {
    private let bytes: [UInt8]

    package init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

    package enum Kind: Sendable, CaseIterable { case recurrence, settings, flag, content, message }

    /// How many documents were accepted.
    package struct Tally: Sendable {
        package fileprivate(set) var offered: [Kind: Int] = [:], accepted: [Kind: Int] = [:]
        /// Why the others were refused, each reason once.
        package fileprivate(set) var refusals: [Kind: Set<String>] = [:]
        /// Flags and lists of content whose responses were compared with what the library says.
        package fileprivate(set) var comparisons = 0

        package init() {}

        package func percent(of kind: Kind) -> Int { 100 * (accepted[kind] ?? 0) / max(1, offered[kind] ?? 0) }

        fileprivate mutating func count(_ kind: Kind, _ refusal: String?) {
            offered[kind, default: 0] += 1
            guard let refusal else {
                accepted[kind, default: 0] += 1
                return
            }
            if refusals[kind, default: []].count < 50 { refusals[kind, default: []].insert(refusal) }
        }
    }

    /// Imports the settings, saves the records, and requests what apps request; returns what is wrong with an outcome, nil if nothing
    /// is.
    package func problem(in cloud: DocumentCloud, _ tally: inout Tally) -> String? {
        do {
            var use = DocumentUse(cloud, DocumentWriter(Decisions(bytes), now: cloud.cloud.inputs.now))
            defer { tally = use.tally }
            use.tally = tally
            try use.run()
            return nil
        } catch {
            return "\(error)"
        }
    }
}

/// What an outcome should not be.
private struct Wrong: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

private struct DocumentUse {
    let own: DocumentCloud
    var writer: DocumentWriter
    var tally = GeneratedDocuments.Tally()
    private var audiences = AudienceBook.empty
    private var flags: [(id: String, flag: Result<Flag, FlagFailure>)] = []
    private var shown: [String: DocumentWriter.Content] = [:]
    private var roles: Set<String> = []

    private static let contentNames = (0..<4).map { "c\($0)" }
    private static let messageNames = (0..<4).map { "m\($0)" }
    private static let path = "/nephos/1/\(SmallCloud.container)/development"

    init(_ own: DocumentCloud, _ writer: DocumentWriter) { (self.own, self.writer) = (own, writer) }

    private var cloud: SmallCloud { own.cloud }
    private var now: Milliseconds { cloud.inputs.now }

    mutating func run() throws {
        // First, so that they do not consist of what is left of the bytes.
        let contexts = (0..<2).map { _ in writer.context() }
        try checkRecurrence()
        guard try importSettings() else { return }
        try save()
        blocking { [cloud] in await cloud.runDueJobs() }
        for context in contexts {
            try evaluate(context)
            try requestMessages(context)
            try requestContent(context)
        }
    }

    // MARK: Recurrences

    /// It does not matter from when its windows were computed, and its edges are the only times at which it changes.
    private mutating func checkRecurrence() throws {
        let text = writer.recurrence()
        let recurrence: Recurrence
        do throws(WireError) {
            var json = try JSONReader(Array(text.utf8)[...])
            recurrence = try Recurrence(&json)
        } catch {
            tally.count(.recurrence, error.reason)
            return
        }
        tally.count(.recurrence, nil)
        for _ in 0..<3 {
            let (from, time) = (writer.time(), writer.time())
            let prepared = recurrence.prepared(at: from)
            guard prepared.contains(time) == recurrence.contains(time) else {
                throw Wrong("\(text) at \(time) depends on windows computed at \(from)")
            }
            guard let edge = recurrence.nextEdge(after: time) else { continue }
            guard edge > time else { throw Wrong("\(text) changes at \(edge), which is not after \(time)") }
            guard recurrence.contains(edge - 1) == recurrence.contains(time) else {
                throw Wrong("\(text) changes before \(edge), but not at \(time)")
            }
        }
    }

    // MARK: Settings

    /// Returns whether the settings are valid.
    private mutating func importSettings() throws -> Bool {
        let sections = writer.sections()
        let text = (["version: 1"] + sections.map { "\($0.name): \($0.json)" }).joined(separator: "\n") + "\n"
        if let problem = WrittenSettings(Array(text.utf8)).problem() { throw Wrong("\(problem)\n\(text)") }
        let refusal = blocking { [own] () async -> String? in
            do {
                try await own.importSettings(text)
                return nil
            } catch {
                return "\(error)"
            }
        }
        tally.count(.settings, refusal)
        guard refusal == nil else { return false }
        let catalog = try own.administration.read(own.administration.store(SmallCloud.tenant)).catalog
        audiences = try catalog.audiences()
        let content = sections.first { $0.name == "content" }?.json ?? ""
        roles = Set(["until", "every", "access", "audience"].filter { content.contains("\"\($0)\":") })
        return true
    }

    // MARK: Records

    /// Replaces all records of the last documents.
    private mutating func save() throws {
        let names = DocumentWriter.flagIDs + Self.contentNames + Self.messageNames
        _ = try modify(names.map { #"{"operationType":"forceDelete","record":{"recordName":"\#($0)"}}"# })
        var records: [(name: String, kind: GeneratedDocuments.Kind, json: String)] = []
        var flags: [String: [(name: String, text: String)]] = [:]
        var content: [String: DocumentWriter.Content] = [:]
        for id in DocumentWriter.flagIDs where !writer.decisions.happens(oneIn: 4) {
            let fields = writer.flag(id)
            flags[id] = fields
            let json = fields.map { ($0.name, DocumentWriter.object([("value", DocumentWriter.quoted($0.text))])) }
            records.append((id, .flag, Self.create(id, "FeatureFlag", json)))
        }
        for name in Self.contentNames where !writer.decisions.happens(oneIn: 4) {
            let one = writer.content()
            content[name] = one
            records.append((name, .content, Self.create(name, "Chibi", one.fields)))
        }
        for name in Self.messageNames where !writer.decisions.happens(oneIn: 3) {
            records.append((name, .message, Self.create(name, "Message", writer.message())))
        }
        let refusals = try modify(records.map(\.json))
        for (place, record) in records.enumerated() {
            tally.count(record.kind, refusals[place])
            guard refusals[place] == nil else { continue }
            if let fields = flags[record.name] { self.flags.append((record.name, Self.flag(record.name, fields))) }
            if let one = content[record.name] { shown[record.name] = one }
        }
    }

    private static func create(_ name: String, _ type: String, _ fields: [(name: String, json: String)]) -> String {
        let fields = DocumentWriter.object(fields.map { ($0.name, $0.json) })
        return
            #"{"operationType":"create","record":{"recordName":"\#(name)","recordType":"\#(type)","fields":\#(fields)}}"#
    }

    /// Returns why each was refused.
    private func modify(_ operations: [String]) throws -> [String?] {
        guard !operations.isEmpty else { return [] }
        let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
        let target = "/database/1/\(SmallCloud.container)/development/public/records/modify"
        let answer = try JSON(reading: ask("POST", target, body, as: .person).body)
        let records = answer["records"].elements
        guard records.count == operations.count else { throw Wrong("\(records.count) results: \(answer)") }
        return records.map { record in
            record["serverErrorCode"].isAbsent ? nil : record["reason"].string ?? "without a reason"
        }
    }

    private static func flag(_ id: String, _ texts: [(name: String, text: String)]) -> Result<Flag, FlagFailure> {
        var fields = FlagFields(id: id)
        for (name, text) in texts {
            switch name {
            case "kind": fields.kind = text
            case "state": fields.state = text
            case "variants": fields.variants = text
            case "offVariant": fields.offVariant = text
            case "defaultVariant": fields.defaultVariant = text
            case "rules": fields.rules = text
            case "prerequisites": fields.prerequisites = text
            case "schedule": fields.schedule = text
            case "salt": fields.salt = text
            default: break
            }
        }
        return Result { () throws(FlagFailure) in try Flag(fields) }
    }

    // MARK: Requests

    /// The response, which must not be an unexpected error.
    private func ask(
        _ method: String, _ target: String, _ body: String = "", as caller: SmallCloud.Caller = .app
    ) throws -> RawResponse {
        let answer = try cloud.ask(method, target, body, as: caller)
        guard answer.status < 500 || answer.status == 503 else {
            throw Wrong("\(answer.status) for \(target): \(answer.text)\n\(body)")
        }
        return answer
    }

    /// The response to a request that is repeated.
    private func askTwice(_ method: String, _ target: String, _ body: String = "") throws -> RawResponse {
        let (first, second) = (try ask(method, target, body), try ask(method, target, body))
        guard first.status == second.status, first.body == second.body || first.status != 200 else {
            throw Wrong("\(target) \(body) has two answers: \(first.text) and \(second.text)")
        }
        return first
    }

    // MARK: Flags

    /// All flags at once, each by itself, and the library agree.
    private mutating func evaluate(_ reported: [(name: String, text: String)]) throws {
        let members = DocumentWriter.object(reported.map { ($0.name, DocumentWriter.quoted($0.text)) })
        let body = #"{"context":\#(members)}"#
        let all = try JSON(reading: askTwice("POST", "\(Self.path)/flags/ofrep/v1/evaluate/flags", body).body)
        var context = EvaluationContext(now: now)
        var json = try JSONReader(Array(members.utf8)[...])
        try context.read(&json)
        var expected: [String] = []
        FlagSet(flags, audiences, now: now).evaluateAll(for: context) { id, result in
            switch result {
            case .success(let evaluation):
                expected.append("\(id) \(evaluation.variant.name) \(evaluation.reason.rawValue)")
            case .failure(let failure): expected.append("\(id) \(failure.code)")
            }
        }
        let served = all["flags"].elements.map(Self.summary)
        guard served == expected else { throw Wrong("\(served) is served, and \(expected) expected, for \(body)") }
        tally.comparisons += served.count
        for (id, summary) in zip(all["flags"].elements.compactMap { $0["key"].string }, served) {
            let alone = try ask("POST", "\(Self.path)/flags/ofrep/v1/evaluate/flags/\(id)", body)
            let own = Self.summary(try JSON(reading: alone.body))
            guard own == summary else { throw Wrong("\(own) is served alone, and \(summary) with others, for \(body)") }
        }
    }

    private static func summary(_ answer: JSON) -> String {
        ["key", "variant", "reason", "errorCode"].compactMap { key in
            // The reason of an error is a sentence.
            key == "reason" && !answer["errorCode"].isAbsent ? nil : answer[key].string
        }.joined(separator: " ")
    }

    // MARK: Messages and content

    private static func query(_ reported: [(name: String, text: String)]) -> String {
        let names = ["targetingKey": "device", "appVersion": "version", "device": "deviceType"]
        return reported.map { "\(names[$0.name] ?? $0.name)=\(percentEncoded($0.text))" }.joined(separator: "&")
    }

    private mutating func requestMessages(_ reported: [(name: String, text: String)]) throws {
        for slot in DocumentWriter.slots {
            let answer = try askTwice("GET", "\(Self.path)/messages/current?slot=\(slot)&\(Self.query(reported))")
            guard answer.status == 200 else { throw Wrong("messages/current is \(answer.text)") }
        }
    }

    /// A list has exactly the records that are shown and meant for the caller, and a pick a part of it.
    private mutating func requestContent(_ reported: [(name: String, text: String)]) throws {
        let query = Self.query(reported)
        let list = try askTwice("GET", "\(Self.path)/content/Chibi/list?\(query)")
        guard list.status == 200 else {
            guard list.text.contains("TRY_AGAIN_LATER") else { throw Wrong("content/list is \(list.text)") }
            return
        }
        let names = try Set(JSON(reading: list.body)["records"].elements.compactMap { $0["recordName"].string })
        let expected = try Set(shown.filter { try isMeant($0.value, for: reported) }.keys)
        guard names == expected else {
            throw Wrong("content \(names.sorted()) is listed, and \(expected.sorted()) expected, for \(query)")
        }
        tally.comparisons += 1
        let pick = try askTwice("GET", "\(Self.path)/content/Chibi/pick?count=3&seed=a&\(query)")
        let picked = try JSON(reading: pick.body)["records"].elements.compactMap { $0["recordName"].string }
        guard picked.count == min(3, names.count), names.isSuperset(of: picked), Set(picked).count == picked.count
        else {
            throw Wrong("\(picked) is picked from \(names.sorted()) for \(query)")
        }
    }

    private func isMeant(
        _ content: DocumentWriter.Content, for reported: [(name: String, text: String)]
    ) throws -> Bool {
        guard let start = content.publishedAt, start <= now else { return false }
        if roles.contains("until"), let end = content.until, end <= now { return false }
        if roles.contains("access"), !content.access.isEmpty { return false }
        if roles.contains("every"), let every = content.every {
            var json = try JSONReader(Array(every.utf8)[...])
            guard try Recurrence(&json).contains(now) else { return false }
        }
        guard roles.contains("audience"), let audience = content.audience else { return true }
        var context = EvaluationContext(now: now)
        let members = DocumentWriter.object(reported.map { ($0.name, DocumentWriter.quoted($0.text)) })
        var json = try JSONReader(Array(members.utf8)[...])
        try context.read(&json)
        guard let condition = try AudienceText.condition(Array(audience.utf8)[...]) else { return true }
        return audiences.verdict(of: condition, for: context) == .yes
    }
}

extension DocumentWriter.Content {
    fileprivate var fields: [(name: String, json: String)] {
        func text(_ text: String) -> String { DocumentWriter.object([("value", DocumentWriter.quoted(text))]) }
        var fields = [(name: "title", json: text("A chibi"))]
        if let publishedAt { fields.append(("publishedAt", DocumentWriter.timestamp(publishedAt))) }
        if let until { fields.append(("until", DocumentWriter.timestamp(until))) }
        for (name, value) in [("every", every), ("audience", audience), ("collection", collection)] {
            if let value { fields.append((name, text(value))) }
        }
        if !access.isEmpty {
            let words = DocumentWriter.array(access.map(DocumentWriter.quoted))
            fields.append(("access", DocumentWriter.object([("value", words)])))
        }
        if let weight { fields.append(("weight", DocumentWriter.object([("value", "\(weight)")]))) }
        return fields
    }
}
