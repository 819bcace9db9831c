package import NephosRunner
import NephosStorage

/// Copies a whole store with its files into an empty one, and verifies that the copy equals the source (docs/decisions/0052).
///
/// It can be interrupted at any time and continues when it is run again. Until it has ended nobody else can open the copy.
package struct StoreTransfer {
    private let source: CopiedPlace
    private let target: CopiedPlace
    private let administration: Administration
    private let progress: (String) -> Void

    /// - Parameters:
    ///   - inputs: Time and randomness.
    ///   - features: Those of the program, which check what they store.
    ///   - progress: Called with a description of the current step.
    package init(
        from source: CopiedPlace, to target: CopiedPlace, inputs: Inputs, features: [Feature],
        progress: @escaping (String) -> Void
    ) {
        (self.source, self.target, self.progress) = (source, target, progress)
        administration = Administration(engine: target.engine, inputs: inputs, features: features)
    }

    /// - Throws: ``Failure``, ``StorageError``.
    package func run() throws -> CopyReport {
        let (ours, theirs) = (try reserve(source), try reserve(target))
        let copy = try StoreCopy(from: source.engine, to: target.engine)
        try begin(copy)
        var report = CopyReport()
        report.unknownTables = copy.unknownTables.sorted()
        var done = 0
        try copy.copyRows { place, table, rows in
            done += rows
            progress("\(place): \(table), \(done) rows copied")
        }
        for tenant in copy.tenants { try copyFiles(of: tenant, &report) }
        // Before the comparison: between that and the end little time shall go by.
        try check()
        report.rows = try copy.compare { place, table in progress("comparing \(place): \(table)") }
        try expectSame(report.rows)
        guard try copy.isSourceUnchanged(since: report.rows), try ours.holds(), try theirs.holds() else {
            throw changed("")
        }
        try copy.end()
        return report
    }

    private func reserve(_ place: CopiedPlace) throws -> any StoreReservation {
        if let reservation = try place.engine.reserved() { return reservation }
        throw Failure(
            """
            A server uses \(place.name). Stop all its servers and run this again. A killed server counts as running for half a minute.
            """)
    }

    private func begin(_ copy: StoreCopy) throws {
        switch try copy.begin() {
        case .begun, .resumed: break
        case .occupied:
            throw Failure(
                "\(target.name) is not empty, or was not empty earlier. Pass a new folder or a new database to copy into."
            )
        case .ofAnother:
            throw Failure(
                """
                \(target.name) holds the unfinished copy of another store, or \(source.name) has changed since that copy began. Start \
                again with a new folder or a new database, while nothing uses \(source.name).
                """)
        }
    }

    private func expectSame(_ comparison: CopyComparison) throws {
        guard !comparison.differences.isEmpty else { return }
        throw changed(" " + comparison.differences.prefix(5).joined(separator: "; ") + ".")
    }

    /// - Parameter details: A sentence with a space before it, or nothing.
    private func changed(_ details: String) -> Failure {
        Failure(
            """
            \(source.name) changed while it was copied, so the copy was not finished.\(details) Stop all servers and commands that use \
            it, and start again with a new folder or a new database.
            """)
    }

    /// What is damaged in the source is damaged in the copy.
    private func check() throws {
        let reports = try administration.check { place, done, total in
            progress("checking \(place): \(done) of \(total) rows")
        }
        let findings = reports.flatMap { report in report.findings.map { "\(report.place): \($0)" } }
        guard !findings.isEmpty else { return }
        throw Failure(
            """
            The copy was not finished: a check found \(findings.count) damaged rows, which are damaged in \(source.name) too. The \
            first: \(findings[0]). List all with nephos check, and restore a backup of \(source.name) before you copy it.
            """)
    }

    // MARK: Files

    private func copyFiles(of tenant: Tenant, _ report: inout CopyReport) throws {
        guard let store = try source.engine.open(tenant) else { throw StorageError.noSuchTenant }
        let (from, to) = (source.fileLocation, target.fileLocation)
        try CopiedFile.all(of: store) { file, row in
            switch try file.copy(from: from, to: to) {
            case .copied: report.copiedFiles += 1
            case .wasThere: break
            // It says which one.
            case .missing: try file.expectWhole(in: from)
            }
            try file.expectWhole(in: to, copiedFrom: from)
            report.files += 1
            report.bytes += row.size
            progress("files of \(tenant): \(report.files), \(report.bytes >> 20) MB")
        }
    }
}
