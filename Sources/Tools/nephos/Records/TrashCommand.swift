import ArgumentParser
import CloudKitWire
import Foundation
import NephosAdmin
import NephosDomain
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
            abstract: "Save a deleted record again.",
            discussion: """
                With its name, fields, creator and time of creation. Of several of one name, the last deleted.

                Example:

                  nephos trash restore iCloud.com.example.app A1B2
                """)

        @Argument(help: "The container's id.")
        var container: String
        @Argument(help: "The record's name.")
        var record: String
        @OptionGroup var environment: EnvironmentOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let restored = try await administration.restoreRecord(
                named: record, in: environment.tenant(of: container))
            Terminal.answer(restored.record.row.name.text)
        }
    }
}

extension Milliseconds {
    /// `2026-11-21T19:12:05Z`.
    var asDate: String { Date(timeIntervalSince1970: Double(self) / 1000).ISO8601Format() }
}
