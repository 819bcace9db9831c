import NephosTesting

/// The result of one run of `wrk`.
struct WrkResult {
    var requests: Int
    var microseconds: Int
    /// Responses other than 2xx, and requests without a response.
    var failures: Int
    /// Response times, in microseconds.
    var median, percentile99: Int

    var perSecond: Double { Double(requests) * 1e6 / Double(microseconds) }
}

/// The load generator `wrk`, with the scripts of `Benchmarks/`.
struct Wrk {
    /// The run failed; with its output.
    struct Failure: Error, CustomStringConvertible { var description: String }

    /// Absolute path of `Benchmarks/`.
    static let scripts = #filePath.split(separator: "/").dropLast(5).map { "/" + $0 }.joined() + "/Benchmarks"

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(prefix: "nephos-wrk") }

    /// Writes a body to a file for scripts, which exists as long as this object. - Returns: Its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder.path + "/" + name
        try writeFile(path, bytes)
        return path
    }

    /// Runs a script for this many seconds over this many connections, from one thread.
    func run(
        _ script: String, _ arguments: [String], port: Int, connections: Int, seconds: Int
    ) throws -> WrkResult {
        let (output, errors) = (folder.path + "/output", folder.path + "/errors")
        try writeFile(output, [])
        let child = try ChildProcess(
            "/usr/bin/env",
            [
                "wrk", "-t1", "-c\(connections)", "-d\(seconds)", "--timeout", "30", "-s", "\(Wrk.scripts)/\(script)",
                "http://127.0.0.1:\(port)", "--",
            ] + arguments, output: output, errors: errors)
        let end = child.wait()
        let said = String(decoding: try readFile(output) + readFile(errors), as: UTF8.self)
        guard end == .exited(0), let line = said.split(separator: "\n").first(where: { $0.hasPrefix("RESULT ") }) else {
            throw Failure(description: "wrk \(script) ended with \(end): \(said)")
        }
        let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
        guard numbers.count == 5, numbers[0] > 0 else { throw Failure(description: "wrk \(script): \(said)") }
        return WrkResult(
            requests: numbers[0], microseconds: numbers[1], failures: numbers[2], median: numbers[3],
            percentile99: numbers[4])
    }
}
