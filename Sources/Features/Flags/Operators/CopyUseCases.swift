import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let diffFlags = UseCase(
        "flag diff", .reads, abstract: "Show how the flags of one environment differ from those of another.",
        .container, .environments, .output
    ) { call, container, environments, output in
        let difference = try FlagDifference(call, container, environments)
        return output.answer(
            ["Flag", "What"], difference.lines, whenEmpty: "The flags are the same in both."
        ) { json in
            for line in difference.lines {
                json.beginObject()
                json.member("id", line[0])
                json.member("what", line[1])
                json.endObject()
            }
        }
    }

    static let copyFlags = UseCase(
        "flag copy", .changes, abstract: "Make the flags of one environment what they are in another.",
        discussion: """
            Flags that are only in the other environment stay. Record types, settings and audiences come with nephos schema deploy.

            Example:

              nephos flag copy iCloud.com.example.app --from development --to production --dry-run
            """,
        .container, .environments, .flag("dry-run", help: "Only show what would be copied.")
    ) { call, container, environments, isTrial in
        let difference = try FlagDifference(call, container, environments)
        let broken = difference.source.filter { if case .failure = $0.flag { true } else { false } }
        guard broken.isEmpty else {
            throw Failure(
                "Some records are no flags, and nothing was copied: \(broken.map(\.id).joined(separator: ", ")).")
        }
        let there = "the flags are the same in \(environments.to.rawValue) already."
        let saves = difference.saves
        if isTrial {
            return UseCaseAnswer.table(["Flag", "What"], difference.copied, whenEmpty: "Nothing to copy: \(there)")
                .noting(difference.lackOfAudiences(call))
        }
        let outcomes = zip(saves, try await difference.target.carryOut(saves)).compactMap { save, refusal in
            refusal.map { [save.id, difference.reason($0)] }
        }
        let count = saves.count - outcomes.count
        let done = saves.isEmpty ? "Nothing to copy: \(there)" : "Copied \(count) \(count == 1 ? "flag" : "flags")."
        return
            (outcomes.isEmpty
            ? UseCaseAnswer.note(done) : UseCaseAnswer.table(["Flag", "Not copied"], outcomes).noting(done))
            .noting(difference.lackOfAudiences(call))
            .failing(outcomes.isEmpty ? nil : "\(outcomes.count) of \(saves.count) were not copied.")
    }
}

/// From where to where.
struct TwoEnvironments: Sendable {
    let from, to: Environment
}

extension Input where Value == TwoEnvironments {
    fileprivate static var environments: Input {
        Input(
            Input<Environment>.option("from", help: "The environment whose flags are meant."),
            Input<Environment>.option("to", help: "The other one.")
        ) { from, to throws(WrongInput) in
            guard from != to else { throw WrongInput("Say two different environments.") }
            return TwoEnvironments(from: from, to: to)
        }
    }
}

/// The flags of two environments.
private struct FlagDifference {
    let target: FlagDesk
    let source: [StoredFlag]
    private let there: [Name: StoredFlag]
    private let environments: TwoEnvironments

    init(_ call: any UseCaseCall, _ container: String, _ environments: TwoEnvironments) throws {
        self.environments = environments
        source = try FlagDesk(call, Tenant(container: container, environment: environments.from)).all()
        target = try FlagDesk(call, Tenant(container: container, environment: environments.to))
        guard target.catalog.types[target.type] != nil else {
            throw Failure(
                "\(target.tenant) has no record type \(target.type). It comes with: \(call.command("schema deploy \(container)"))"
            )
        }
        there = Dictionary(try target.all().map { ($0.record.name, $0) }) { first, _ in first }
    }

    private var different: [StoredFlag] { source.filter { there[$0.record.name]?.record.fields != $0.record.fields } }

    var saves: [FlagSave] {
        different.map { flag in
            FlagSave(
                id: flag.id, type: target.type, old: there[flag.record.name]?.record, kind: .fields(flag.record.fields))
        }
    }

    /// What copying makes of each.
    var copied: [[String]] {
        different.map { flag in
            guard let other = there[flag.record.name] else {
                return [flag.id, "only in \(environments.from.rawValue)"]
            }
            return [flag.id, "differs in \(flag.fields(thatDifferFrom: other).joined(separator: ", "))"]
        }
    }

    var lines: [[String]] {
        let here = Set(source.map(\.record.name))
        let others = there.values.filter { !here.contains($0.record.name) }.map {
            [$0.id, "only in \(environments.to.rawValue)"]
        }
        return (copied + others).sorted { Name($0[0]) < Name($1[0]) }
    }

    func lackOfAudiences(_ call: any UseCaseCall) -> String? {
        let known = Set((try? target.catalog.value(of: .audiences))?.names ?? [])
        let named = source.reduce(into: Set<String>()) { names, flag in
            if case .success(let flag) = flag.flag { names.formUnion(flag.audiences) }
        }
        let missing = named.subtracting(known).sorted()
        guard !missing.isEmpty else { return nil }
        return
            "\(target.tenant) has no audience \(missing.joined(separator: ", ")): rules that name it fit nobody there. "
            + "Audiences come with: \(call.command("schema deploy \(target.tenant.container)"))"
    }

    func reason(_ refusal: Refusal) -> String {
        switch refusal {
        case .conflict, .recordExists, .recordNotFound: "somebody has just changed it: try again"
        default: refusal.reason
        }
    }
}

extension StoredFlag {
    fileprivate func fields(thatDifferFrom other: StoredFlag) -> [String] {
        let (own, others) = (record.fields, other.record.fields)
        return Set(CanonicalFields.names(in: own) + CanonicalFields.names(in: others)).sorted().filter {
            CanonicalFields.value(of: $0, in: own) != CanonicalFields.value(of: $0, in: others)
        }.map(\.text)
    }
}
