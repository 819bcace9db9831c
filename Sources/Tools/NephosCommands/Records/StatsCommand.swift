import ArgumentParser
import NephosAdmin

struct StatsCommand: AdministrationCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Print how much of each record type there is, or of each person.",
        discussion: """
            Bytes are those of names and fields, and of files, for each record that holds them. By type, databases of all \
            persons count together; by person, the public database counts for whoever made a record.

            Examples:

              nephos stats iCloud.com.example.app
              nephos stats iCloud.com.example.app --people
            """)

    @OptionGroup var place: TenantArguments
    @Flag(help: "Print those who have stored the most.")
    var people = false
    @Option(help: "With --people: most of them to print.")
    var limit = 20
    @OptionGroup var data: DataOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("A limit is at least 1.") }
    }

    func run(_ administration: Administration) async throws {
        let table = try people ? peopleTable(administration) : typeTable(administration)
        Terminal.progress("")
        Terminal.answer(table.text)
    }

    private static let volumes = ["public records", "bytes", "of files", "private records", "bytes", "of files"]

    private func typeTable(_ administration: Administration) throws -> Table {
        let types = try administration.statistics(of: place.tenant) { Terminal.progress("\($0) records") }
        let rows = types.map { [$0.type] + $0.inPublic.cells + $0.inPrivate.cells + [String($0.indexes)] }
        return Table(["type"] + Self.volumes + ["public indexes"], rows)
    }

    private func peopleTable(_ administration: Administration) throws -> Table {
        let people = try administration.people(of: place.tenant, limit: limit) { Terminal.progress("\($0) records") }
        let rows = people.map { [$0.name ?? "-", $0.userRecordName] + $0.inPublic.cells + $0.inPrivate.cells }
        return Table(["person", "user record"] + Self.volumes, rows)
    }
}

extension Volume {
    fileprivate var cells: [String] { [String(records), String(bytes), String(fileBytes)] }
}
