import ArgumentParser
import CloudKitSchema
import NephosAdmin
import NephosRunner

struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Read, check, import, deploy and reset schemas.",
        subcommands: [Export.self, Import.self, Validate.self, Deploy.self, Reset.self])

    struct Export: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the schema of an environment.",
            discussion: """
                One schema has one form, so exports can be compared.

                Examples:

                  nephos schema export iCloud.com.example.app schema.ckdb
                  nephos schema export iCloud.com.example.app --environment production
                """)

        @Argument(help: "The container's id.")
        var container: String
        @Argument(help: "Write it to this file; to standard output without one.")
        var file: String?
        @OptionGroup var environment: EnvironmentOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let bytes = try administration.exportSchema(of: environment.tenant(of: container))
            if let file { try TextFile(path: file).write(bytes) } else { Terminal.answer(bytes) }
        }
    }

    struct Import: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the schema of development by that of a file.",
            discussion: """
                All of it or nothing. What the file does not say goes: types, fields, indexes, grants. What is active \
                in production must be in the file.

                Example:

                  nephos schema import iCloud.com.example.app schema.ckdb
                """)

        @OptionGroup var source: SchemaFile
        @OptionGroup var environment: EnvironmentOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            let tenant = environment.tenant(of: source.container)
            let difference = try await administration.importSchema(try source.read(), into: tenant)
            Terminal.note(difference.description)
        }
    }

    struct Validate: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether a file could be imported.",
            discussion: "Changes nothing.\n\nExample:\n\n  nephos schema validate iCloud.com.example.app schema.ckdb")

        @OptionGroup var source: SchemaFile
        @OptionGroup var environment: EnvironmentOption
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            do {
                _ = try administration.validateSchema(
                    try source.read(), for: environment.tenant(of: source.container))
            } catch AdminError.schema(let error) {
                throw Failure("❌ Schema validation failed: \(error.description)", isWhole: true)
            }
            Terminal.answer("✅ Schema is valid.")
        }
    }

    struct Deploy: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bring the schema of development to production.",
            discussion: """
                Types, fields, indexes, roles and grants, never records. What production has stays. There is no way \
                back; look first with --dry-run.

                Example:

                  nephos schema deploy iCloud.com.example.app --dry-run
                """)

        @Argument(help: "The container's id.")
        var container: String
        @Flag(help: "Only print what would become different in production.")
        var dryRun = false
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            if dryRun {
                Terminal.answer(try administration.previewDeploy(of: container).description)
            } else {
                Terminal.note(try await administration.deploySchema(of: container).description)
            }
        }
    }

    struct Reset: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set development back to the schema of production, and delete all its records.",
            discussion: """
                Records of every person and the trash included. Accounts, sessions, tokens and keys stay; roles that \
                people hold in development go. One that was interrupted is finished by another.

                Example:

                  nephos schema reset iCloud.com.example.app --yes
                """)

        @Argument(help: "The container's id.")
        var container: String
        @OptionGroup var confirmation: Confirmation
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            try confirmation.require("This deletes all records of \(container) in development.")
            try await administration.resetDevelopment(of: container) { done, total in
                Terminal.progress("\(done) of \(total) databases")
            }
            Terminal.progress("")
            Terminal.note("Development of \(container) has the schema of production, and no records.")
        }
    }
}

/// A container and the file with its schema.
struct SchemaFile: ParsableArguments {
    @Argument(help: "The container's id.")
    var container: String
    @Argument(help: "The schema; standard input without one.")
    var file: String?

    func read() throws(Failure) -> [UInt8] {
        if let file { try TextFile(path: file).read() } else { Terminal.input() }
    }
}
