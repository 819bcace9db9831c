package import NephosRunner
package import NephosStorage

/// What `check` found in one place.
package struct CheckReport: Sendable, Equatable {
    /// `accounts and containers`, or a container and its environment.
    package var place: String
    /// The number of rows checked; nil for accounts and containers, which are not counted.
    package var rows: Int?
    package var findings: [CheckFinding]
    /// How many findings are files that are not where files are kept.
    package var missingFiles: Int

    package init(place: String, rows: Int?, findings: [CheckFinding], missingFiles: Int = 0) {
        self.place = place
        self.rows = rows
        self.findings = findings
        self.missingFiles = missingFiles
    }
}

extension Administration {
    /// Compares everything stored with its checksums, counters and digests, while a server may be running.
    ///
    /// - Parameters:
    ///   - container: Only this one; nil for all, and the list of accounts and containers.
    ///   - progress: Called while a place is checked, with its name, the rows done and the total rows.
    /// - Throws: ``AdminError/noContainer(_:)``. A finding is not an error.
    package func check(
        container: String? = nil, progress: (String, Int, Int) -> Void = { _, _, _ in }
    ) throws(AdminError) -> [CheckReport] {
        guard let container else {
            let findings = try stored { () throws(StorageError) in try engine.checkDirectory() }
            var reports = [CheckReport(place: "accounts and containers", rows: nil, findings: findings)]
            for id in try containers() { reports += try check(environmentsOf: id, progress) }
            return reports
        }
        return try check(environmentsOf: container, progress)
    }

    private func check(
        environmentsOf container: String, _ progress: (String, Int, Int) -> Void
    ) throws(AdminError) -> [CheckReport] {
        var reports: [CheckReport] = []
        for environment in Environment.allCases {
            let tenant = Tenant(container: container, environment: environment)
            let store = try store(tenant)
            var rows = 0
            var findings = try stored { () throws(StorageError) in
                try store.check { done, total in
                    rows = done
                    progress(tenant.description, done, total)
                }
            }
            findings += try ShareCheck(self, store).findings()
            findings += try ownFindings(in: store)
            reports.append(CheckReport(place: tenant.description, rows: rows, findings: findings))
        }
        return reports
    }
}
