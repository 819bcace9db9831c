import CloudKitWire
package import NephosAssets
import NephosDomain
package import NephosRunner
import NephosStorage

extension Administration {
    /// Files per page of a check.
    private static let page = 200

    /// Reads every file that has a row and compares it with its checksum, and looks for files without a row. Files younger than a
    /// day are not strays: they may be running uploads.
    ///
    /// - Parameters:
    ///   - container: Only this one; nil for all.
    ///   - progress: Called while a place is checked, with its name, the files done, and the bytes read.
    /// - Returns: A report for each place; its rows are files. A finding is not an error.
    package func checkFiles(
        container: String? = nil, in files: any AssetStore, progress: (String, Int, Int64) -> Void = { _, _, _ in }
    ) throws(AdminError) -> [CheckReport] {
        var reports: [CheckReport] = []
        let all = if let container { [container] } else { try containers() }
        for id in all {
            for environment in Environment.allCases {
                let tenant = Tenant(container: id, environment: environment)
                let store = try store(tenant)
                var (findings, missing, done, bytes): ([CheckFinding], Int, Int, Int64) = ([], 0, 0, 0)
                let head = try read(store, ReadSet()).catalog.head
                let home = AssetHome(head)
                var last: AssetKey?
                repeat {
                    var set = ReadSet()
                    let page = AssetRow.after(last, limit: Self.page)
                    set.ask(page)
                    let rows = try read(store, set)[page]
                    for row in rows {
                        let finding = Self.finding(row, of: head, in: home, files, &missing) { bytes += Int64($0) }
                        if let finding { findings.append(finding) }
                        done += 1
                        progress("files of \(tenant)", done, bytes)
                    }
                    last = rows.count == Self.page ? rows.last?.key : nil
                } while last != nil
                findings += try strays(in: home, store, files)
                reports.append(
                    CheckReport(place: "files of \(tenant)", rows: done, findings: findings, missingFiles: missing))
            }
        }
        return reports
    }

    /// The homes of a container's files, in both environments; call it before the container is deleted.
    package func assetHomes(of container: String) throws(AdminError) -> [AssetHome] {
        var homes: [AssetHome] = []
        for environment in Environment.allCases {
            let tenant = Tenant(container: container, environment: environment)
            homes.append(AssetHome(try read(try store(tenant), ReadSet()).catalog.head))
        }
        return homes
    }

    /// - Parameter missing: Counts the files that are missing.
    private static func finding(
        _ row: AssetRow, of head: CatalogHead, in home: AssetHome, _ files: any AssetStore, _ missing: inout Int,
        _ progress: (Int) -> Void
    ) -> CheckFinding? {
        guard let file = AssetFile(row, in: home) else {
            return CheckFinding(table: "assets", what: "an address is not valid")
        }
        let name = "file \(file.address) of database \(row.database)"
        do {
            switch try files.verify(file, key: head.addressKey, progress: progress) {
            // The key for its address was lost: only its size can be compared.
            case .altered(let size) where row.createdAt < head.filesSince, .intact(let size):
                return size == row.size
                    ? nil : CheckFinding(table: "files", what: "\(name): has \(size) bytes, not \(row.size)")
            case .altered: return CheckFinding(table: "files", what: "\(name): its content was changed")
            case .missing:
                // It may have been swept after its row was read.
                missing += 1
                return CheckFinding(table: "files", what: "\(name): is missing")
            }
        } catch {
            return CheckFinding(table: "files", what: "\(name): cannot be read: \(error)")
        }
    }

    private func strays(
        in home: AssetHome, _ store: any TenantStore, _ files: any AssetStore
    ) throws(AdminError) -> [CheckFinding] {
        let cutoff = inputs.now() - AssetReceipt.grace
        var old: [StoredAsset] = []
        do {
            try files.files(in: home) { if $0.modifiedAt < cutoff { old.append($0) } }
        } catch {
            return [CheckFinding(table: "files", what: "the folder cannot be listed: \(error)")]
        }
        var findings: [CheckFinding] = []
        for some in old.chunks(of: Self.page) {
            var set = ReadSet()
            let keys = Set(some.map { AssetKey(database: $0.file.database, address: $0.file.address.bytes) })
            let rows = AssetRow.at(Array(keys))
            set.ask(rows)
            let named = Set(try read(store, set)[rows].compactMap { AssetFile($0, in: home) })
            for stored in some where !named.contains(stored.file) {
                findings.append(
                    CheckFinding(
                        table: "files",
                        what:
                            "file \(stored.file.address) of \(stored.size) bytes is not in use; the server removes it"
                    ))
            }
        }
        return findings
    }
}
