import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let explainFlag = UseCase(
        "flag explain", .reads, lists: true, abstract: "Show which value of a flag is served, and why.",
        discussion: """
            The context is what an app reports about its user (docs/audiences.md, "Contexts"). With --session the user is signed in: the file \
            contains a web auth token, as printed by nephos session create.

            Example:

              nephos flag explain iCloud.com.example.app tipJar \\
                --context '{"targetingKey":"d1","locale":"es-MX"}'
            """,
        .tenant, .flagID,
        Input<String?>.option("context", valueName: "json", help: "What an app reports; nothing if omitted."),
        Input<InputFile?>.option("session", valueName: "file", help: "A file with a web auth token.")
    ) { call, tenant, id, said, session in
        let operations = try FlagOperations(call, tenant)
        let context = try operations.context(
            said, session: try session.map { try call.webAuthToken(in: $0) }, at: call.now())
        let set = try operations.set(at: call.now())
        var rows: [[String]]
        do throws(Evaluation.Failure) {
            rows = try set.evaluate(id, for: context).rows
        } catch {
            guard error != .notFound else { throw operations.unknown(id) }
            rows = [["error", error.code], ["why", error.reason]]
        }
        if let key = context.targetingKey { rows.append(["targetingKey", key]) }
        for note in context.unreadableNotes { rows.append(["cannot be read", note]) }
        let rules = set.explainRules(of: id, for: context).map { [$0.rule, $0.verdict.word, $0.reason] }
        let answer = UseCaseAnswer.table(["What", "Is"], rows)
        return rules.isEmpty ? answer : answer.then(.table(["Rule", "Fits", "Why"], rules))
    }
}

extension FlagOperations {
    /// All flags and audiences, prepared for evaluation.
    func set(at now: Milliseconds) throws -> FlagSet {
        let flags = try all().map { ($0.id, $0.flag) }
        return FlagSet(flags, try catalog.audiences(), now: now)
    }

    /// The context to explain: what an app reports, and what is proved of a person.
    fileprivate func context(_ said: String?, session: String?, at now: Milliseconds) throws -> EvaluationContext {
        var context = EvaluationContext(now: now)
        if let said {
            do throws(WireError) {
                var json = try JSONReader(Array(said.utf8)[...])
                try context.read(&json)
                try json.finish()
            } catch {
                throw Failure(
                    "--context: \(error.reason). It must be a JSON object, such as {\"locale\":\"en\"}.",
                    kind: .wrongUsage)
            }
        }
        guard let session else { return context }
        let place = RecordPlace(tenant: tenant, scope: .public, session: session)
        guard let user = try administration.context(of: place, store).caller.user else { return context }
        var set = ReadSet()
        set.memberships = [user]
        let held = try administration.read(store, set).memberships.first ?? []
        (context.person, context.targetingKey) = (user.recordName, user.recordName)
        context.roles = catalog.roles.values.filter { held.contains($0.number) }.map(\.name.text)
        return context
    }
}

extension Evaluation {
    fileprivate var rows: [[String]] {
        var rows = [
            ["value", String(decoding: variant.json, as: UTF8.self)], ["variant", variant.name],
            ["reason", reason.rawValue],
        ]
        if let rule { rows.append(["rule", rule]) }
        if let bucket { rows.append(["bucket", "\(bucket)"]) }
        if let prerequisite { rows.append(["needs flag", prerequisite]) }
        if let passedOver { rows.append(["passed over", "\(passedOver.rule): \(passedOver.doubt)"]) }
        return rows
    }
}

extension Evaluation.Failure {
    fileprivate var reason: String {
        switch self {
        case .notFound: "there is no such flag"
        case .missingTargetingKey: "a percentage needs a targetingKey, but the context has none"
        case .broken(let reason): reason
        }
    }
}

extension Verdict {
    fileprivate var word: String {
        switch self {
        case .yes: "yes"
        case .no: "no"
        case .unknown: "cannot be said"
        }
    }
}
