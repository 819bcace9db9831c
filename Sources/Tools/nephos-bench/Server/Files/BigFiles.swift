import NephosTesting

/// Large files to and from the server, alternating with a copy on the same disk, and nginx.
struct BigFiles {
    static let count = 8
    static let megabytesEach = 128
    private static let rounds = 3
    private static let megabytes = count * megabytesEach

    /// A contender, with its number of connections.
    struct Row {
        var name: String
        /// 0 without a network.
        var connections: Int
        /// The median of the rounds by processor time, with its minimum and maximum.
        var cost: TransferCost
        var range: ClosedRange<Double>
    }

    private struct Contender {
        var name: String
        var connections: Int
        var run: () throws -> TransferCost
    }

    let files: FileCloud
    private let curl: Curl
    private let folder: TemporaryFolder
    private let sources: SourceFiles
    private let nginx: Nginx?

    init(_ files: FileCloud, _ curl: Curl) throws {
        (self.files, self.curl) = (files, curl)
        folder = try TemporaryFolder(prefix: "nephos-files")
        nginx = try Nginx.ifInstalled()
        sources = try SourceFiles(in: nginx?.files ?? folder.path, count: Self.count, megabytes: Self.megabytesEach)
    }

    var hasNginx: Bool { nginx != nil }

    func rows() throws -> [Row] {
        try uploadDownloadFiles()
        let contenders = contenders
        var costs = contenders.map { _ in [TransferCost]() }
        // The first round is for warm-up.
        for round in 0...Self.rounds {
            for (place, contender) in contenders.enumerated() {
                try sources.freshen()
                let cost = try contender.run()
                if round > 0 { costs[place].append(cost) }
            }
        }
        return zip(contenders, costs).map { contender, costs in
            let sorted = costs.sorted { $0.milliseconds < $1.milliseconds }
            return Row(
                name: contender.name, connections: contender.connections, cost: sorted[sorted.count / 2],
                range: sorted[0].milliseconds...sorted[sorted.count - 1].milliseconds)
        }
    }

    private var contenders: [Contender] {
        let both = [1, 4]
        var all = [Contender(name: "copy and fsync, no network", connections: 0, run: copy)]
        all += both.map { count in Contender(name: "upload", connections: count) { try upload(count) } }
        if let nginx {
            all += both.map { count in
                Contender(name: "PUT to nginx, no fsync", connections: count) { try put(to: nginx, count) }
            }
        }
        all += both.map { count in Contender(name: "download", connections: count) { try download(count) } }
        if let nginx {
            for (name, port) in [("off", nginx.ports.reading), ("on", nginx.ports.sendfile)] {
                all += both.map { count in
                    Contender(name: "GET from nginx, sendfile \(name)", connections: count) {
                        try get(from: nginx, port, count)
                    }
                }
            }
        }
        return all
    }

    // MARK: The server

    private func uploadDownloadFiles() throws {
        let answers = sources.paths.indices.map { "\(folder.path)/answer\($0)" }
        try move(
            zip(sources.paths, answers).map {
                Curl.Transfer(url: files.origin + files.uploadTarget, source: $0, answer: $1)
            }, 1)
        try files.save(
            answers.enumerated().map { ("big\($0)", try JSON(reading: readFile($1))["singleFile"]) })
    }

    private func upload(_ connections: Int) throws -> TransferCost {
        var files = files
        try files.askWhereToUpload()
        let url = files.origin + files.uploadTarget
        let others = try files.stored
        let cost = try measure(try files.process) {
            try move(sources.paths.map { Curl.Transfer(url: url, source: $0) }, connections)
        }
        return try cost.removing(try files.stored.subtracting(others))
    }

    private func download(_ connections: Int) throws -> TransferCost {
        let targets = try files.downloadTargets((0..<Self.count).map { "big\($0)" })
        return try measure(try files.process) {
            try move(targets.map { Curl.Transfer(url: files.origin + $0) }, connections)
        }
    }

    // MARK: Other programs

    private func copy() throws -> TransferCost {
        let copies = sources.paths.indices.map { "\(folder.path)/copy\($0)" }
        return try TransferCost(megabytes: Self.megabytes, { UInt64(CPUTime.seconds() * 1e9) }) {
            for (source, copy) in zip(sources.paths, copies) { try PlainCopy.copy(source, to: copy) }
        }.removing(copies)
    }

    private func put(to nginx: Nginx, _ connections: Int) throws -> TransferCost {
        let names = sources.paths.indices.map { "put\($0)" }
        return try measure(nginx.process) {
            try move(
                zip(sources.paths, names).map {
                    Curl.Transfer(url: "http://127.0.0.1:\(nginx.ports.reading)/\($1)", source: $0)
                }, connections)
        }.removing(names.map { "\(nginx.files)/\($0)" })
    }

    private func get(from nginx: Nginx, _ port: Int, _ connections: Int) throws -> TransferCost {
        try measure(nginx.process) {
            try move((0..<Self.count).map { Curl.Transfer(url: "http://127.0.0.1:\(port)/\($0)") }, connections)
        }
    }

    // MARK: Measuring

    private func move(_ transfers: [Curl.Transfer], _ connections: Int) throws {
        try curl.run(transfers, connections: connections, bytes: Self.megabytes << 20)
    }

    private func measure(_ process: Int32, _ work: () throws -> Void) throws -> TransferCost {
        try TransferCost(megabytes: Self.megabytes, { try ProcessUsage(of: process).cpuNanoseconds }, work)
    }
}
