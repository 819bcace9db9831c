import ArgumentParser
import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage

struct TrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash", abstract: "List and restore deleted records of the public database.",
        discussion: "They are kept for 30 days.", subcommands: [List.self, Restore.self])

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print deleted records, the last deleted first.",
            discussion: "Example:\n\n  nephos trash list iCloud.com.example.app")

        @OptionGroup var place: TenantArguments
        @Option(help: "Most records to print.")
        var limit: Int = 200
        @OptionGroup var data: DataOptions

        func validate() throws {
            guard limit > 0 else { throw ValidationError("A limit is at least 1.") }
        }

        func run(_ administration: Administration) async throws {
            let records = try administration.trash(of: place.tenant, limit: limit)
            guard !records.isEmpty else { return Terminal.note("The trash is empty.") }
            let rows = records.map { record in
                [
                    record.name.text, record.type?.text ?? "(removed)", record.deletedAt.asDate,
                    record.deletedBy ?? "-",
                ]
            }
            Terminal.answer(Table(["record", "type", "deleted", "by"], rows).text)
            if records.count == limit { Terminal.note("There may be more; see them with --limit.") }
        }
    }

    struct Restore: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Save a deleted record again, or all of a type.",
            discussion: """
                With name, fields, creator and time of creation. Of several of one name, the last deleted.

                All records of a type that were deleted at a time or later come back in small transactions, beside a \
                running server, each after its parent and what it names with VALIDATE. It prints those that do not come back, \
                and why, and fails when there are any. With --dry-run it prints what would become of each and writes \
                nothing. Interrupted, it goes on when it is run again.

                Examples:

                  nephos trash restore iCloud.com.example.app A1B2
                  nephos trash restore iCloud.com.example.app --record-type Article \
                    --deleted-after 2026-11-21T19:00:00Z --dry-run
                """)

        @Argument(help: "The container's id.")
        var container: String
        @Argument(help: "The record's name.")
        var record: String?
        @Option(help: "Restore all records of this type instead.")
        var recordType: String?
        @Option(help: "With --record-type: only those deleted at this time or later, such as 2026-11-21T19:00:00Z.")
        var deletedAfter: String?
        @Flag(help: "With --record-type: print what would happen, and write nothing.")
        var dryRun = false
        @OptionGroup var environment: EnvironmentOption
        @OptionGroup var data: DataOptions

        func validate() throws {
            guard (record == nil) != (recordType == nil) else {
                throw ValidationError("Name either a record, or a type with --record-type.")
            }
            guard recordType != nil || (deletedAfter == nil && !dryRun) else {
                throw ValidationError("--deleted-after and --dry-run belong to --record-type.")
            }
            if recordType != nil { _ = try time() }
        }

        private func time() throws -> Milliseconds {
            guard let deletedAfter else {
                throw ValidationError("Say since when with --deleted-after, such as 2026-11-21T19:00:00Z.")
            }
            guard let time = DateText.milliseconds(deletedAfter) else {
                throw ValidationError("\(deletedAfter) is no time. Expected is one such as 2026-11-21T19:00:00Z.")
            }
            return time
        }

        func run(_ administration: Administration) async throws {
            let tenant = environment.tenant(of: container)
            if let record {
                let restored = try await administration.restoreRecord(named: record, in: tenant)
                return Terminal.answer(restored.record.row.name.text)
            }
            let records = try await administration.restoreRecords(
                of: recordType ?? "", deletedFrom: try time(), in: tenant, isTrial: dryRun
            ) { Terminal.progress("\($0) of \($1) records") }
            Terminal.progress("")
            try report(records)
        }

        private func report(_ records: [RestoredRecord]) throws {
            let left = records.filter { $0.obstacle != nil }
            let shown = dryRun ? records : left
            if !shown.isEmpty {
                let rows = shown.map { [$0.name.text, $0.obstacle ?? "comes back"] }
                Terminal.answer(Table(["record", dryRun ? "what would happen" : "why not"], rows).text)
            }
            let count = records.count - left.count
            Terminal.note("\(count) of \(records.count) records \(dryRun ? "would come" : "came") back.")
            if !dryRun, !left.isEmpty { throw Failure("\(left.count) records did not come back.") }
        }
    }
}
