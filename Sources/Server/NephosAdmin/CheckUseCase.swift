package import NephosRunner
import NephosStorage

extension UseCase {
    package static let check = UseCase(
        "check", .reads, lists: true,
        abstract: "Verify the checksums and counters of everything stored, with files.",
        discussion: """
            It can run while servers run. It prints a line for each place, then its findings, and fails if there are any. If it finds \
            no damage, it also lists addresses that several accounts have in different spellings (docs/people.md).

            Example:

              nephos check iCloud.com.example.app
            """,
        Input<String?>.argument("container", help: "Only this container; by default all containers and accounts.")
    ) { call, container in
        do {
            let administration = try call.administration
            var reports = try administration.check(container: container) { place, done, total in
                call.progress("\(place): \(done) of \(total) rows")
            }
            reports += try administration.checkFiles(container: container, in: try call.files) { place, done, bytes in
                call.progress("\(place): \(done), \(bytes >> 20) MB read")
            }
            call.progress("")
            // Damaged accounts cannot be compared.
            let isComparable = container == nil && reports.allSatisfy(\.findings.isEmpty)
            let shared = try isComparable ? administration.sharedAddresses() : []
            return answer(reports, shared: shared, call)
        } catch AdminError.storage(.corrupt(let what)) {
            call.progress("")
            throw Failure(
                """
                The stored data is damaged: \(what). The check cannot read on. Stop the server, keep a copy of \(call.place), and \
                restore a backup.
                """)
        }
    }

    /// - Parameter shared: ``Administration/sharedAddresses()``, of a store that is not damaged.
    private static func answer(
        _ reports: [CheckReport], shared: [SharedAddress], _ call: any UseCaseCall
    ) -> UseCaseAnswer {
        let places = reports.map { [$0.place, $0.rows.map(String.init) ?? "-", String($0.findings.count)] }
        let table = UseCaseAnswer.table(["place", "rows", "findings"], places)
        let findings = reports.flatMap { report in report.findings.map { [report.place, $0.table, $0.what] } }
        guard !findings.isEmpty else {
            guard !shared.isEmpty else { return table }
            let accounts = shared.map { [$0.address, $0.accounts.joined(separator: " ")] }
            return table.then(.table(["address", "accounts"], accounts)).failing(
                "Nothing is damaged, but these addresses have several accounts, and each address belongs to the first. "
                    + "Delete the others by their ids: \(call.command("account delete ID"))")
        }
        let count = findings.count == 1 ? "1 finding." : "\(findings.count) findings."
        let stop =
            reports.contains { $0.missingFiles > 0 }
            ? "Files were looked for in \(call.filesLocation). If they are elsewhere, set NEPHOS_ASSETS. Otherwise stop"
            : "Stop"
        return table.then(.table(["place", "table", "finding"], findings))
            .failing("\(count) \(stop) the server, keep a copy of \(call.place), and restore a backup.")
    }
}
