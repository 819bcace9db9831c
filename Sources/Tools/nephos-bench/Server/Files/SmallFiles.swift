import NephosTesting

/// Small files: downloaded through their URLs over persistent connections, and uploaded and saved one by one.
struct SmallFiles {
    static let count = 10_000
    static let bytes = 10_240
    private static let rounds = 5
    private static let seconds = 3

    /// The cost of one request for a contender, with its number of connections.
    struct Row {
        var name: String
        var connections: Int
        var found: Measurement
    }

    private struct Contender {
        var name: String
        var process: Int32
        var port: Int
        var script: String
        /// Called before each run, because the server's URLs are valid for five minutes.
        var arguments: () throws -> [String]
    }

    let files: FileCloud
    private let nginx: Nginx?
    private let wrk: Wrk
    private let names = (0..<count).map { "small\($0)" }

    init() throws {
        files = try FileCloud()
        nginx = try Nginx.ifInstalled()
        wrk = try Wrk()
        let (files, names, nginx) = (files, names, nginx)
        let folder = nginx?.files
        try inThreads(4) { thread in
            let connection = try HTTPConnection(port: files.cloud.server.port)
            var batch: [(String, JSON)] = []
            for number in stride(from: thread, to: names.count, by: 4) {
                let content = Self.content("\(number)")
                batch.append((names[number], try files.upload(content, on: connection)))
                if batch.count == 200 || number + 4 >= names.count {
                    try files.save(batch)
                    batch = []
                }
                if let folder { try writeFile("\(folder)/\(names[number])", content) }
            }
        }
        try checkContents()
    }

    /// 10 KB that are unique to a label.
    static func content(_ label: String) -> [UInt8] {
        Array(String(repeating: "file \(label) ", count: bytes / 6).utf8.prefix(bytes))
    }

    private func checkContents() throws {
        let connection = try HTTPConnection(port: files.cloud.server.port)
        for number in [0, Self.count - 1] {
            let target = try files.downloadTargets([names[number]])[0]
            guard try connection.exchange(HTTPRequest("GET", target)).body == Self.content("\(number)") else {
                throw Wrk.Failure(description: "\(names[number]) was returned with other content")
            }
        }
    }

    /// The server, nginx and the echo alternate. Medians by processor time.
    func downloads() throws -> [Row] {
        let contenders = try contenders
        return try [1, 32].flatMap { connections in
            var found = contenders.map { _ in [Measurement]() }
            // The first round is for warm-up.
            for round in 0...Self.rounds {
                for (place, contender) in contenders.enumerated() {
                    let measurement = try measure(contender, connections)
                    if round > 0 { found[place].append(measurement) }
                }
            }
            return zip(contenders, found).map { contender, found in
                let sorted = found.sorted { $0.microseconds < $1.microseconds }
                return Row(name: contender.name, connections: connections, found: sorted[sorted.count / 2])
            }
        }
    }

    private var contenders: [Contender] {
        get throws {
            let server = files.cloud.server
            let process = try server.process.id
            let empty = try wrk.file("empty", [])
            var all = [
                Contender(name: "download", process: process, port: server.port, script: "paths.lua") {
                    [try list("own", files.downloadTargets(names))]
                },
                Contender(name: "echo of the same size", process: process, port: server.port, script: "fixed.lua") {
                    ["/bench/echo?bytes=\(Self.bytes)", empty]
                },
            ]
            guard let nginx else { return all }
            let paths = try list("nginx", names.map { "/\($0)" })
            for (name, port) in [("sendfile off", nginx.ports.reading), ("sendfile on", nginx.ports.sendfile)] {
                all.append(
                    Contender(name: "GET from nginx, \(name)", process: nginx.process, port: port, script: "paths.lua")
                    {
                        [paths]
                    })
            }
            return all
        }
    }

    private func list(_ name: String, _ targets: [String]) throws -> String {
        try wrk.file(name, Array(targets.joined(separator: "\n").utf8))
    }

    private func measure(_ contender: Contender, _ connections: Int) throws -> Measurement {
        let arguments = try contender.arguments()
        let before = try ProcessUsage(of: contender.process).cpuNanoseconds
        let result = try wrk.run(
            contender.script, arguments, port: contender.port, connections: connections, seconds: Self.seconds)
        let used = try ProcessUsage(of: contender.process).cpuNanoseconds - before
        guard result.failures == 0 else {
            throw Wrk.Failure(description: "\(contender.name): \(result.failures) of \(result.requests) failed")
        }
        return Measurement(
            microseconds: Double(used) / 1e3 / Double(result.requests), postgresMicroseconds: 0,
            perSecond: result.perSecond, median: result.median, percentile99: result.percentile99)
    }
}
