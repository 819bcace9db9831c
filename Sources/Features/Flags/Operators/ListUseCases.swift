import Audience
import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCase {
    static let listFlags = UseCase(
        "flag list", .reads, abstract: "Show all flags.", .tenant, .output
    ) { call, tenant, output in
        let operations = try FlagOperations(ifAny: call, tenant)
        let (flags, now) = (try operations?.all() ?? [], call.now())
        return output.answer(
            ["Flag", "State", "Kind", "What", "Owner", "Expires", "Changed"], flags.map { $0.cells(at: now) },
            whenEmpty: flags.isEmpty ? try operations?.none(call) ?? FlagOperations.lacking(call, tenant) : ""
        ) { json in
            for flag in flags { json.write(flag, at: now) }
        }
    }

    static let showFlag = UseCase(
        "flag show", .reads, abstract: "Show all fields of a flag.", .tenant, .flagID, .output
    ) { call, tenant, id, output in
        let (flag, now) = (try FlagOperations(call, tenant).flag(id), call.now())
        if output == .json {
            var json = JSONWriter()
            json.write(flag, at: now)
            return .bytes(json.bytes + [UInt8(ascii: "\n")])
        }
        var rows = FlagField.texts.compactMap { field in flag.text(field).map { [field.text, $0] } }
        if let expires = flag.expires { rows.append(["expires", expires.asDate]) }
        if flag.isPermanent { rows.append(["permanent", "1"]) }
        rows.append(["changed", flag.record.modifiedAt.asDate])
        let answer = UseCaseAnswer.table(["Field", "Value"], rows).noting(FlagSwitch.next(flag, at: now))
        guard case .failure(let failure) = flag.flag else { return answer }
        return answer.failing("It is not a valid flag: \(failure)")
    }

    static let deleteFlag = UseCase(
        "flag delete", .destroys, abstract: "Delete a flag.",
        discussion:
            "Apps use the value that they were built with. Its history is kept, and nephos flag revert restores it.",
        .tenant, .flagID, .yes
    ) { call, tenant, id, isSure in
        let operations = try FlagOperations(call, tenant)
        let known = try operations.flag(id)
        let audiences = try operations.catalog.audiences()
        let others = try operations.all().filter { other in
            if case .success(let flag) = other.flag { flag.flags(by: audiences).contains(id) } else { false }
        }
        guard others.isEmpty else {
            throw Failure("Other flags need \(id): \(others.map(\.id).joined(separator: ", ")). Change them first.")
        }
        try call.confirm("This deletes flag \(known.id) of \(tenant).", unless: isSure)
        try await operations.change(id) { _ in .deletion }
        return .note(
            "Deleted flag \(id) of \(tenant). Show its versions with: \(call.command("flag history \(tenant.asTyped) \(id)"))"
        )
    }
}

extension StoredFlag {
    fileprivate func cells(at now: Milliseconds) -> [String] {
        let (kind, what): (String, String) =
            switch flag {
            case .success(let flag): (flag.kind.rawValue, flag.summary)
            case .failure(let failure): ("-", "\(failure)")
            }
        return [
            id, state(at: now), kind, what, owner ?? "-", expires.map { String($0.asDate.prefix(10)) } ?? "-",
            record.modifiedAt.asDate,
        ]
    }
}

extension JSONWriter {
    /// The ID, the state at a given time, and the record's fields.
    mutating func write(_ flag: StoredFlag, at now: Milliseconds) {
        beginObject()
        member("id", flag.id)
        member("state", flag.state(at: now))
        if case .failure(let failure) = flag.flag { member("error", "\(failure)") }
        member("changedAt", flag.record.modifiedAt)
        member("fields", raw: flag.record.fields)
        endObject()
    }
}
