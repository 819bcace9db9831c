package import NephosRunner
import NephosStorage

extension UseCase {
    package static let check = UseCase(
        "check", .reads, lists: true,
        abstract: "Compare everything stored, and all files, with their checksums and counters.",
        discussion: """
            Reads beside a running server. Prints a line for each place, then what was found, and fails when \
            anything was.

            Example:

              nephos check iCloud.com.example.app
            """,
        Input<String?>.argument("container", help: "Only this container; all of them and the accounts without it.")
    ) { call, container in
        let administration = try call.administration
        var reports = try administration.check(container: container) { place, done, total in
            call.progress("\(place): \(done) of \(total) rows")
        }
        reports += try administration.checkFiles(container: container, in: try call.files) { place, done, bytes in
            call.progress("\(place): \(done), \(bytes >> 20) MB read")
        }
        call.progress("")
        return answer(reports, at: call.place)
    }

    private static func answer(_ reports: [CheckReport], at place: String) -> UseCaseAnswer {
        let places = reports.map { [$0.place, $0.rows.map(String.init) ?? "-", String($0.findings.count)] }
        let table = UseCaseAnswer.table(["place", "rows", "findings"], places)
        let findings = reports.flatMap { report in report.findings.map { [report.place, $0.table, $0.what] } }
        guard !findings.isEmpty else { return table }
        return table.then(.table(["place", "table", "finding"], findings))
            .failing("\(findings.count) findings. Stop the server, keep a copy of \(place), and restore a backup.")
    }
}
