import ArgumentParser
import NephosAdmin
import NephosAssets
import NephosRunner
import NephosStorage

struct Check: AdministrationCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compare everything stored, and all files, with their checksums and counters.",
        discussion: """
            Reads beside a running server. Prints a line for each place, then what was found, and fails when \
            anything was.

            Example:

              nephos check iCloud.com.example.app
            """)

    @Argument(help: "Only this container; all of them and the accounts without it.")
    var container: String?
    @OptionGroup var data: DataOptions

    func run(_ administration: Administration) async throws {
        var reports = try administration.check(container: container) { place, done, total in
            Terminal.progress("\(place): \(done) of \(total) rows")
        }
        reports += try administration.checkFiles(container: container, in: try data.files()) { place, done, bytes in
            Terminal.progress("\(place): \(done), \(bytes >> 20) MB read")
        }
        Terminal.progress("")
        let places = reports.map { [$0.place, $0.rows.map(String.init) ?? "-", String($0.findings.count)] }
        Terminal.answer(Table(["place", "rows", "findings"], places).text)

        let findings = reports.flatMap { report in report.findings.map { [report.place, $0.table, $0.what] } }
        guard !findings.isEmpty else { return }
        Terminal.answer("\n" + Table(["place", "table", "finding"], findings).text)
        throw Failure(
            "\(findings.count) findings. Stop the server, keep a copy of \(data.shown), and restore a backup.")
    }
}
