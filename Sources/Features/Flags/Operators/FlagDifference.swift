import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The flags of two environments.
struct FlagDifference {
    let target: FlagOperations
    let source: [StoredFlag]
    private let there: [Name: StoredFlag]
    private let environments: TwoEnvironments

    init(_ call: any UseCaseCall, _ container: String, _ environments: TwoEnvironments) throws {
        self.environments = environments
        source = try FlagOperations(call, Tenant(container: container, environment: environments.from)).all()
        target = try FlagOperations(call, Tenant(container: container, environment: environments.to))
        guard target.catalog.types[target.type] != nil else {
            throw Failure(
                "\(target.tenant) has no record type \(target.type). Deploy it with: \(call.command("schema deploy \(container)"))"
            )
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
        let known = Set((try? target.catalog.value(of: .audiences))?.names ?? [])
        let named = source.reduce(into: Set<String>()) { names, flag in
            if case .success(let flag) = flag.flag { names.formUnion(flag.audiences) }
        }
        let missing = named.subtracting(known).sorted()
        guard !missing.isEmpty else { return nil }
        return
            "\(target.tenant) has no audience \(missing.joined(separator: ", ")): rules that name it match nobody there. "
            + "Deploy audiences with: \(call.command("schema deploy \(target.tenant.container)"))"
    }

    func reason(_ refusal: Refusal) -> String {
        switch refusal {
        case .conflict, .recordExists, .recordNotFound: "it was changed meanwhile: try again"
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
