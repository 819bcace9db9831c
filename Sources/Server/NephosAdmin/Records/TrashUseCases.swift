import CloudKitWire
import NephosDomain
package import NephosRunner
import NephosStorage

extension UseCaseGroup {
    package static let trash = UseCaseGroup(
        "trash", abstract: "List and restore deleted records of the public database.",
        discussion: "They are kept for 30 days.", [UseCase.listTrash, UseCase.restoreRecords])
}

extension UseCase {
    fileprivate static let listTrash = UseCase(
        "trash list", .reads, lists: true, abstract: "Print deleted records, the most recently deleted first.",
        discussion: "Example:\n\n  nephos trash list iCloud.com.example.app",
        .tenant,
        .limit(default: 200, help: "The most records to print.")
    ) { call, tenant, limit in
        let records = try call.administration.trash(of: tenant, limit: limit)
        let rows = records.map { record in
            [record.name.text, record.type?.text ?? "(removed)", record.deletedAt.asDate, record.deletedBy ?? "-"]
        }
        return .table(["record", "type", "deleted", "by"], rows, whenEmpty: "The trash is empty.")
            .noting(records.count == limit ? "There may be more; pass a higher --limit." : nil)
    }

    fileprivate static let restoreRecords = UseCase(
        "trash restore", .changes, abstract: "Restore a deleted record, or all of a type.",
        discussion: """
            It keeps its name, fields, creator and time of creation. Of several with one name, the last deleted is restored.

            All records of a type that were deleted at a time or later are restored in small transactions, also while servers \
            run, each after its parent and the records that it references with VALIDATE. It prints those that cannot be restored, \
            and why, and fails if there are any. With --dry-run it prints what would happen to each and writes \
            nothing. If it is interrupted, run it again to continue.

            Examples:

              nephos trash restore iCloud.com.example.app A1B2
              nephos trash restore iCloud.com.example.app --record-type Article \\
                --deleted-after 2026-11-21T19:00:00Z --dry-run
            """,
        .container, .restoration, .environment
    ) { call, container, restoration, environment in
        let administration = try call.administration
        let tenant = Tenant(container: container, environment: environment)
        switch restoration {
        case .one(let name):
            let restored = try await administration.restoreRecord(named: name, in: tenant)
            return .text(restored.record.row.name.text)
        case .all(let type, let time, let isTrial):
            let records = try await administration.restoreRecords(
                of: type, deletedFrom: time, in: tenant, isTrial: isTrial
            ) { call.progress("\($0) of \($1) records") }
            call.progress("")
            return report(records, isTrial: isTrial)
        }
    }

    private static func report(_ records: [RestoredRecord], isTrial: Bool) -> UseCaseAnswer {
        if records.isEmpty {
            return .note("No records \(isTrial ? "would be" : "were") restored: none in the trash match.")
        }
        let left = records.filter { $0.obstacle != nil }
        let shown = isTrial ? records : left
        let rows = shown.map { [$0.name.text, $0.obstacle ?? "would be restored"] }
        let head = ["record", isTrial ? "what would happen" : "why not"]
        let count = records.count - left.count
        return (rows.isEmpty ? UseCaseAnswer.nothing : .table(head, rows))
            .noting("\(count) of \(records.count) records \(isTrial ? "would be" : "were") restored.")
            .failing(isTrial || left.isEmpty ? nil : "\(left.count) records were not restored.")
    }
}

/// What to restore.
private enum Restoration: Sendable {
    case one(String)
    /// All records of a type that were deleted at this time or later.
    case all(type: String, since: Milliseconds, isTrial: Bool)
}

extension Input where Value == Restoration {
    fileprivate static var restoration: Input {
        Input(
            Input<String?>.argument("record", help: "The record's name."),
            Input<String?>.option("record-type", help: "Restore all records of this type instead."),
            Input<String?>.option(
                "deleted-after",
                help: "With --record-type: only those deleted at this time or later, such as 2026-11-21T19:00:00Z."),
            .flag("dry-run", help: "With --record-type: print what would happen, and write nothing.")
        ) { record, type, time, isTrial throws(WrongInput) in
            switch (record, type) {
            case (let name?, nil):
                guard time == nil, !isTrial else {
                    throw WrongInput("--deleted-after and --dry-run need --record-type.")
                }
                return .one(name)
            case (nil, let type?): return .all(type: type, since: try milliseconds(time), isTrial: isTrial)
            default: throw WrongInput("Pass either a record, or a type with --record-type.")
            }
        }
    }

    private static func milliseconds(_ text: String?) throws(WrongInput) -> Milliseconds {
        guard let text else {
            throw WrongInput("Pass a time with --deleted-after, such as 2026-11-21T19:00:00Z.")
        }
        guard let time = DateText.milliseconds(text) else {
            throw WrongInput("\(text) is not a valid time. Expected is one such as 2026-11-21T19:00:00Z.")
        }
        return time
    }
}
