import NephosTesting

/// The client `curl`, one process per connection, so that its processor time is separate.
struct Curl {
    /// One upload or download.
    struct Transfer {
        var url: String
        /// The file to upload; nil for a download.
        var source: String?
        /// The file for the response.
        var answer = "/dev/null"
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(prefix: "nephos-curl") }

    /// Makes all transfers over this many connections, each with its share, one after the other.
    ///
    /// - Throws: ``Wrk/Failure`` unless every one succeeds and `bytes` have been transferred in total.
    func run(_ transfers: [Transfer], connections: Int, bytes: Int) throws {
        let children = try (0..<connections).map { number in
            let own = stride(from: number, to: transfers.count, by: connections).map { transfers[$0] }
            return try start(own, output: "\(folder.path)/\(number)", errors: "\(folder.path)/\(number).errors")
        }
        var moved = 0
        for (number, child) in children.enumerated() {
            let end = child.wait()
            let said = String(decoding: try readFile("\(folder.path)/\(number)"), as: UTF8.self)
            guard end == .exited(0) else {
                let errors = String(decoding: try readFile("\(folder.path)/\(number).errors"), as: UTF8.self)
                throw Wrk.Failure(description: "curl ended with \(end): \(said)\(errors)")
            }
            moved += said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.reduce(0, +)
        }
        guard moved == bytes else { throw Wrk.Failure(description: "curl moved \(moved) bytes, not \(bytes)") }
    }

    private func start(_ transfers: [Transfer], output: String, errors: String) throws -> ChildProcess {
        try writeFile(output, [])
        var arguments = ["curl", "--silent", "--show-error", "--fail-early", "--globoff", "--noproxy", "*"]
        for transfer in transfers {
            let isUpload = transfer.source != nil
            arguments += transfer.source.map { ["--upload-file", $0] } ?? []
            arguments += ["--fail", "--output", transfer.answer]
            arguments += ["--write-out", "%{size_\(isUpload ? "upload" : "download")}\n", transfer.url, "--next"]
        }
        return try ChildProcess("/usr/bin/env", Array(arguments.dropLast()), output: output, errors: errors)
    }
}
