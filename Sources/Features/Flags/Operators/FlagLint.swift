import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let lintFlags = UseCase(
        "flag lint", .reads, lists: true, abstract: "Find probable mistakes in flags.",
        discussion: """
            Prints one line per finding. Fails if one of them is an error: a record is not a valid flag, or a rule can match nobody, because its \
            condition has a key that this version does not support, names an audience or a flag that does not exist, or a range of versions \
            that contains none. Clients can save such rules; nephos flag rule add refuses most of them.

            Example:

              nephos flag lint iCloud.com.example.app
            """,
        .tenant, Input<String?>.argument("flag", help: "The flag's id; all flags if omitted.")
    ) { call, tenant, id in
        let operations = try FlagOperations(call, tenant)
        if let id { _ = try operations.flag(id) }
        let flags = try operations.all()
        let lint = FlagLint(
            set: try operations.set(at: call.now()), audiences: try operations.catalog.audiences(),
            ids: Set(flags.map(\.id)), now: call.now())
        let findings = flags.filter { id == nil || $0.id == id }.flatMap(lint.findings)
        let errors = findings.count { $0.isError }
        return UseCaseAnswer.table(
            ["Flag", "Rule", "Severity", "Finding"], findings.map(\.row), whenEmpty: "Nothing found."
        ).failing(
            errors == 0 ? nil : "\(errors) \(errors == 1 ? "error" : "errors") in the flags; see the table above.")
    }
}

/// Checks flags for probable mistakes.
private struct FlagLint {
    let set: FlagSet
    let audiences: AudienceBook
    /// Of all flags.
    let ids: Set<String>
    let now: Milliseconds

    struct Finding {
        let flag: String
        /// nil if it is about the whole flag.
        var rule: String?
        var isError = true
        let text: String

        var row: [String] { [flag, rule ?? "-", isError ? "error" : "warning", text] }
    }

    func findings(_ flag: StoredFlag) -> [Finding] {
        let read: Flag
        do throws(FlagFailure) { read = try flag.flag.get() } catch {
            return [Finding(flag: flag.id, text: "\(error). Until it is saved again, clients use their own values")]
        }
        return conditions(flag, read) + dependencies(read) + unreachable(read) + withoutEffect(read)
    }

    /// Rules that nobody can match.
    private func conditions(_ flag: StoredFlag, _ read: Flag) -> [Finding] {
        let rules = (try? JSONList(flag.text(FlagField.rules)))?.elements ?? []
        return zip(read.rules, rules).compactMap { rule, json in
            flaw(json).map { Finding(flag: flag.id, rule: rule.id, text: $0) }
        }
    }

    private func flaw(_ rule: JSONList.Bytes) -> String? {
        do throws(WireError) {
            var json = try JSONReader(rule, limits: JSONLimits(depth: 64))
            try json.readObject { json, key throws(WireError) in
                switch key {
                case "id", "serve": return
                case "when": _ = try TypedCondition(try json.skipValue(), salt: "", audiences)
                default: throw WireError("this version supports no such key of a rule")
                }
            }
            return nil
        } catch {
            return error.reason
        }
    }

    private func dependencies(_ flag: Flag) -> [Finding] {
        let missing = flag.flags(by: audiences).subtracting(ids).sorted().map { id in
            Finding(
                flag: flag.id,
                text: "it depends on flag \(id), which does not exist: create it, or remove what refers to it")
        }
        do throws(Evaluation.Failure) {
            _ = try set.evaluate(flag.id, for: EvaluationContext(now: now))
            return missing
        } catch {
            // That nothing is known of this caller, who has no targetingKey either, is no fault of the flag.
            guard case .broken(let reason) = error else { return missing }
            return missing + [Finding(flag: flag.id, text: reason)]
        }
    }

    /// Rules after one that is for everybody.
    private func unreachable(_ flag: Flag) -> [Finding] {
        guard let place = flag.rules.firstIndex(where: { $0.when == nil }) else { return [] }
        return flag.rules[(place + 1)...].map { rule in
            Finding(
                flag: flag.id, rule: rule.id, isError: false,
                text:
                    "it is never reached, since rule \(flag.rules[place].id) before it is for everybody: move or remove one of them"
            )
        }
    }

    /// A flag whose conditions make no difference.
    private func withoutEffect(_ flag: Flag) -> [Finding] {
        let reached = flag.rules.prefix { $0.when != nil }
        guard !reached.isEmpty else { return [] }
        var served = reached.flatMap(flag.servedVariants)
        served +=
            reached.count < flag.rules.count
            ? flag.servedVariants(of: flag.rules[reached.count]) : [flag.defaultVariant]
        guard let first = served.first, served.allSatisfy({ $0.json == first.json }) else { return [] }
        return [
            Finding(
                flag: flag.id, isError: false,
                text: "everybody gets \(first.text), whether a rule matches or not: add the rules again with --else")
        ]
    }
}
