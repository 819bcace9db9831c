import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let flagHistory = UseCase(
        "flag history", .reads, abstract: "Show the versions of a flag: who changed it, and when.",
        discussion: "The last \(FlagChangeRow.kept) versions are kept, even after the flag is deleted.",
        .tenant, .flagID, .lines(default: FlagChangeRow.kept), .output
    ) { call, tenant, id, limit, output in
        let operations = try FlagOperations(call, tenant)
        let rows = try operations.administration.rows(
            FlagChangeRow.newest(of: Name(id), limit: limit), of: operations.store)
        guard !rows.isEmpty else {
            throw Failure(
                "Flag \(id) has no history in \(tenant). See all flags with: \(call.command("flag list \(tenant.asTyped)"))"
            )
        }
        return output.answer(
            ["Version", "When", "State", "What", "Who"],
            rows.map { ["\($0.version)", $0.changedAt.asDate, $0.state, $0.summary, $0.author] }
        ) { json in
            for row in rows { json.write(row) }
        }
    }

    static let flagRevert = UseCase(
        "flag revert", .changes, abstract: "Restore a flag to an earlier version.",
        discussion: """
            All fields of the record are restored; a deleted flag is created again.

            Example:

              nephos flag revert iCloud.com.example.app tipJar 3
            """,
        .tenant, .flagID,
        Input<Int>.argument("version", help: "Its number in the history.").refusing("The version must be at least 1.") {
            $0 > 0
        }
    ) { call, tenant, id, version in
        let operations = try FlagOperations(call, tenant)
        let scan = FlagChangeRow.version(Int64(version), of: Name(id))
        guard let row = try operations.administration.rows(scan, of: operations.store).first else {
            throw Failure(
                "No version \(version) of flag \(id) is kept. See: \(call.command("flag history \(tenant.asTyped) \(id)"))"
            )
        }
        guard let fields = row.fields else {
            throw Failure("In version \(version) flag \(id) was deleted: choose another version, or delete the flag.")
        }
        guard try operations.find(id) != nil else {
            let save = RecordSave(name: id, type: operations.type, old: nil, kind: .fields(fields))
            if let refusal = try await operations.carryOut([save]).first ?? nil { throw refusal }
            return .note("Flag \(id) exists again in \(tenant.environment.rawValue), as in version \(version).")
        }
        let before = try await operations.change(id) { $0.record.fields == fields ? nil : .fields(fields) }
        return .note(
            before.record.fields == fields
                ? "Flag \(id) is already as in version \(version) in \(tenant.environment.rawValue)."
                : "Flag \(id) is now as in version \(version) in \(tenant.environment.rawValue).")
    }
}

extension FlagChangeRow {
    fileprivate var flagThen: Flag? {
        fields.flatMap { try? Flag(FlagFields(flag, $0)) }
    }

    /// `on`, `off`, `deleted`; `broken` for a version that was not a valid flag.
    fileprivate var state: String {
        guard fields != nil else { return "deleted" }
        return flagThen.map { $0.isOn(at: changedAt) ? "on" : "off" } ?? "broken"
    }

    fileprivate var summary: String { flagThen?.summary ?? "-" }
}

extension JSONWriter {
    fileprivate mutating func write(_ row: FlagChangeRow) {
        beginObject()
        member("version", row.version)
        member("changedAt", row.changedAt)
        member("author", row.author)
        if let fields = row.fields { member("fields", raw: fields) } else { member("deleted", true) }
        endObject()
    }
}
