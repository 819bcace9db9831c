import NephosTesting

/// The part about files (docs/decisions/0007).
extension ServerBenchmark {
    static func printFiles() throws {
        try printBigFiles()
        let files = try SmallFiles()
        try printSmallDownloads(files)
        try printSmallUploads(files)
    }

    private static func printBigFiles() throws {
        let (files, curl) = (try FileCloud(), try Curl())
        let memory = try FileMemory(files, curl)
        let bench = try BigFiles(files, curl)
        var table = Table([
            "\(BigFiles.count) files of \(BigFiles.megabytesEach) MB", "conn.", "CPU per MB", "minimum and maximum",
            "MB/s",
        ])
        for row in try bench.rows() {
            table.add([
                row.name, row.connections == 0 ? "" : "\(row.connections)", milliseconds(row.cost.milliseconds),
                "\(milliseconds(row.range.lowerBound)) to \(milliseconds(row.range.upperBound))",
                whole(row.cost.perSecond),
            ])
        }
        if !bench.hasNginx { table.add(["nginx is not installed", "", "", "", ""]) }
        print("### Big files\n\n\(table.text)")
        printMemory(memory, afterAll: try FileMemory.now(files))
    }

    private static func printMemory(_ memory: FileMemory, afterAll: Double) {
        var table = Table(["highest memory of the server", "found", "more", "aim"])
        table.add(["after a small file in both directions", "\(decimal(memory.before)) MB", "", ""])
        for (name, megabytes) in [
            ("after an upload of 1 GB", memory.afterUpload), ("and a download of it", memory.afterDownload),
            ("and everything in the table above", afterAll),
        ] {
            let more = megabytes - memory.before
            table.add([
                name, "\(decimal(megabytes)) MB", "\(decimal(more)) MB", verdict(more <= 32, "≤ 32 MB more"),
            ])
        }
        print(table.text)
    }

    private static func printSmallDownloads(_ files: SmallFiles) throws {
        var table = Table([
            "one of \(whole(Double(SmallFiles.count))) files of 10 KB", "conn.", "CPU", "of a core at 1,000 per second",
            "requests/s", "p50", "p99",
        ])
        for row in try files.downloads() {
            table.add([
                row.name, "\(row.connections)", µs(row.found.microseconds),
                "\(decimal(row.found.microseconds / 10)) %", whole(row.found.perSecond), µs(Double(row.found.median)),
                µs(Double(row.found.percentile99)),
            ])
        }
        print("### Small downloads\n\n\(table.text)")
    }

    private static func printSmallUploads(_ files: SmallFiles) throws {
        var uploads = SmallUploads(files: files.files)
        var table = Table([
            "a file of 10 KB, then its record", "CPU", "files/s", "upload: p50", "p99", "save: p50", "p99",
        ])
        for row in try uploads.rows() {
            let times = [row.uploads, row.saves].flatMap { times in
                [times[times.count / 2], times[(times.count - 1) * 99 / 100]].map { milliseconds($0 / 1e3) }
            }
            let connections = row.connections == 1 ? "1 connection" : "\(row.connections) connections"
            table.add([connections, µs(row.microseconds), whole(row.perSecond)] + times)
        }
        print("### Small uploads\n\n\(table.text)")
    }

    private static func milliseconds(_ value: Double) -> String { "\((value * 100).rounded() / 100) ms" }
}
