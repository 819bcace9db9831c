import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The flags of two environments.
struct FlagDifference {
    let target: FlagOperations
    let source: [StoredFlag]
    /// Names of the audiences of the source's settings.
    private let audiencesThere: Set<String>
    private let there: [Name: StoredFlag]
    private let environments: TwoEnvironments

    init(_ call: any UseCaseCall, _ container: String, _ environments: TwoEnvironments) throws {
        self.environments = environments
        let origin = try FlagOperations(call, Tenant(container: container, environment: environments.from))
        source = try origin.all()
        audiencesThere = origin.audiences
        target = try FlagOperations(call, Tenant(container: container, environment: environments.to))
        guard target.catalog.types[target.type] != nil else {
            let next =
                environments.to == .production
                ? "Deploy it with: \(call.command("schema deploy \(container)"))"
                : "Create it with the first flag: \(call.command("flag create \(container) ID --default false"))"
            throw Failure("\(target.tenant) has no record type \(target.type). \(next)")
        }
        there = Dictionary(try target.all().map { ($0.record.name, $0) }) { first, _ in first }
    }

    private var different: [StoredFlag] { source.filter { there[$0.record.name]?.record.fields != $0.record.fields } }

    var saves: [RecordSave] {
        different.map { flag in
            RecordSave(
                name: flag.id, type: target.type, old: there[flag.record.name]?.record,
                kind: .fields(flag.record.fields))
        }
    }

    /// What copying would change, for each flag.
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

    func missingAudiences(_ call: any UseCaseCall) -> String? {
        let named = source.reduce(into: Set<String>()) { names, flag in
            if case .success(let flag) = flag.flag { names.formUnion(flag.audiences) }
        }
        let missing = named.subtracting(target.audiences).sorted()
        guard !missing.isEmpty else { return nil }
        let container = target.tenant.container
        let what =
            "\(target.tenant) has no audience \(missing.joined(separator: ", ")): rules that name it match nobody there."
        let add = "Add it to the settings of development with: \(call.command("settings import \(container) FILE"))"
        let deploy = call.command("schema deploy \(container)")
        guard environments.to == .production else { return "\(what) \(add)" }
        // Only what development has can be deployed.
        return audiencesThere.isSuperset(of: missing)
            ? "\(what) Deploy audiences with: \(deploy)" : "\(what) \(add)\nThen deploy it with: \(deploy)"
    }

    func reason(_ refusal: Refusal) -> String {
        switch refusal {
        case .conflict, .recordExists, .recordNotFound: "it was changed meanwhile: try again"
        default: refusal.reason
        }
    }
}

extension FlagOperations {
    /// Names of the audiences of the settings.
    fileprivate var audiences: Set<String> { Set((try? catalog.value(of: .audiences))?.names ?? []) }
}

extension StoredFlag {
    fileprivate func fields(thatDifferFrom other: StoredFlag) -> [String] {
        let (own, others) = (record.fields, other.record.fields)
        return Set(CanonicalFields.names(in: own) + CanonicalFields.names(in: others)).sorted().filter {
            CanonicalFields.value(of: $0, in: own) != CanonicalFields.value(of: $0, in: others)
        }.map(\.text)
    }
}
