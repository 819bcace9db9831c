import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let importFlags = UseCase(
        "flag import", .changes,
        abstract: "Create a flag for each switch in a record of an old design.",
        discussion: """
            Each INT64 field that is 0 or 1 becomes a Boolean flag with the name of the field as its id, off or on. The record stays as it is. If \
            versions of the app read it, or an old page writes it, name it as the mirror of the flags in the settings (docs/flags.md).

            Example:

              nephos flag import iCloud.com.example.app AppFeatures current
            """,
        .tenant, Input<String>.argument("type", help: "The type of the record."),
        Input<String>.argument("record", help: "The name of the record.")
    ) { call, tenant, type, record in
        let switches = try OldSwitches(call, tenant, type: type, record: record)
        guard !switches.values.isEmpty else {
            throw Failure(
                "Record \(record) cannot become a flag: it needs an INT64 field with the value 0 (off) or 1 (on).")
        }
        let notes = try await FlagSetup(call: call, tenant: tenant).carryOut()
        let operations = try FlagOperations(call, tenant)
        let saves = try switches.values.sorted { $0.key < $1.key }.map { id, isOn in
            let value = try FlagValue(isOn ? "true" : "false")
            return RecordSave(name: id, type: operations.type, old: nil, kind: .edit(value.fields))
        }
        let outcomes = Array(zip(saves, try await operations.carryOut(saves)))
        let rows = outcomes.map { save, refusal in
            switch refusal {
            case nil: [save.name, switches.values[save.name] == true ? "created, on" : "created, off"]
            case .recordExists?: [save.name, "already exists, not changed"]
            case let refusal?: [save.name, "refused: \(refusal.reason)"]
            }
        }
        let passedOver =
            switches.others.isEmpty
            ? nil : "Skipped, since they are not switches: \(switches.others.joined(separator: ", "))."
        let answer = notes.reduce(UseCaseAnswer.table(["Flag", "What"], rows)) { $0.noting($1) }.noting(passedOver)
        let count = outcomes.count { if case .recordExists? = $0.1 { false } else { $0.1 != nil } }
        return answer.failing(count == 0 ? nil : count == 1 ? "1 flag was refused." : "\(count) flags were refused.")
    }
}

/// The fields of a record of an old design.
private struct OldSwitches {
    private(set) var values: [String: Bool] = [:]
    /// Names of fields that are not switches, in order.
    private(set) var others: [String] = []

    init(_ call: any UseCaseCall, _ tenant: Tenant, type: String, record: String) throws {
        let administration = try call.administration
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(Flags.database, defaultZoneName), name: Name(record))]
        let reading = try administration.read(administration.store(tenant), set)
        guard let known = reading.catalog.types[Name(type)] else { throw AdminError.noType(Name(type), tenant) }
        guard case .record(let row)? = reading.records.first, row.type == known.row.number else {
            throw Failure("There is no record \(record) of type \(type) in \(tenant).")
        }
        let numbers = row.numbers
        for name in CanonicalFields.names(in: row.fields) where known.fields[name] != nil {
            switch numbers[name] {
            case 0, 1: values[name.text] = numbers[name] == 1
            default: others.append(name.text)
            }
        }
    }
}
