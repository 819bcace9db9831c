import ArgumentParser
import NephosAdmin
import NephosStorage

struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "List, build and drop indexes of the public database.",
        discussion: """
            Queries build what they need; this builds it before the first one asks. Fields come first that queries \
            compare with a value, then those they sort by, written FIELD:asc or FIELD:desc.
            """,
        subcommands: [List.self, Build.self, Drop.self])

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the indexes of the public database.",
            discussion: "Example:\n\n  nephos index list iCloud.com.example.app")

        @OptionGroup var place: TenantArguments
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let indexes = try administration.indexes(of: place.tenant)
            guard !indexes.isEmpty else { return Terminal.note("The public database has no indexes.") }
            let rows = indexes.map { index in
                [
                    index.type, index.parts.joined(separator: " "), index.state == .ready ? "ready" : "building",
                    index.usedAt.asDate,
                ]
            }
            Terminal.answer(Table(["type", "fields", "state", "used"], rows).text)
        }
    }

    struct Build: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Build an index of the public database, and wait for it.",
            discussion: "Example:\n\n  nephos index build iCloud.com.example.app Article category publishedAt:desc")

        @OptionGroup var index: IndexArguments
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            try await administration.buildIndex(
                type: index.type, parts: index.fields, in: index.environment.tenant(of: index.container)
            ) { done, total in Terminal.progress("\(done) of \(total) records") }
            Terminal.progress("")
            Terminal.note("The public database has an index on \(index.fields.joined(separator: " ")).")
        }
    }

    struct Drop: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drop an index of the public database.",
            discussion: """
                A query that needs it builds it anew.

                Example:

                  nephos index drop iCloud.com.example.app Article category publishedAt:desc
                """)

        @OptionGroup var index: IndexArguments
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            try await administration.dropIndex(
                type: index.type, parts: index.fields, in: index.environment.tenant(of: index.container))
            Terminal.note("Dropped.")
        }
    }
}

struct ReindexCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "reindex", abstract: "Drop all indexes of an environment and build them anew.",
        discussion: "Example:\n\n  nephos reindex iCloud.com.example.app")

    @OptionGroup var place: TenantArguments
    @OptionGroup var data: DataOptions

    func run(_ administration: Administration) async throws {
        let count = try await administration.rebuildIndexes(of: place.tenant) { done, total in
            Terminal.progress("\(done) of \(total) databases")
        }
        Terminal.progress("")
        Terminal.note(count == 1 ? "Built 1 index anew." : "Built \(count) indexes anew.")
    }
}

/// An index, by what it is made of.
struct IndexArguments: ParsableArguments {
    @Argument(help: "The container's id.")
    var container: String
    @Argument(help: "The record type.")
    var type: String
    @Argument(help: "Its fields, in order; FIELD:asc, FIELD:desc or FIELD:words for those to sort by or search in.")
    var fields: [String]
    @OptionGroup var environment: EnvironmentOption

    func validate() throws {
        if fields.isEmpty { throw ValidationError("Name at least one field.") }
    }
}
