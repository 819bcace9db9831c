import NephosTesting
import Synchronization

/// Uploads of small files: each is uploaded, and then a record that contains it is saved.
struct SmallUploads {
    private static let rounds = 3
    private static let each = 1_000

    /// The cost per file, with this many concurrent connections.
    struct Row {
        var connections: Int
        /// The server's processor time for both requests, in microseconds.
        var microseconds: Double
        /// Files a second.
        var perSecond: Double
        /// Response times of the two requests, in microseconds, ascending.
        var uploads, saves: [Double]
    }

    var files: FileCloud

    /// The median of the rounds by processor time, after a warm-up round.
    mutating func rows() throws -> [Row] {
        try files.askWhereToUpload()
        return try [1, 32].map { connections in
            let rows = try (0...Self.rounds).map { try once(connections, "up\(connections)x\($0)") }.dropFirst()
            return rows.sorted { $0.microseconds < $1.microseconds }[Self.rounds / 2]
        }
    }

    private func once(_ connections: Int, _ label: String) throws -> Row {
        let (files, each) = (files, max(Self.each / connections, 100))
        let times = Mutex<(uploads: [Double], saves: [Double])>(([], []))
        let before = try files.cloud.server.usage.cpuNanoseconds
        let start = ContinuousClock.now
        try inThreads(connections) { thread in
            let (connection, client) = (try HTTPConnection(port: files.cloud.server.port), files.cloud.client)
            for number in 0..<each {
                let name = "\(label)-\(thread)-\(number)"
                let content = SmallFiles.content(name)
                let begun = ContinuousClock.now
                let file = try files.upload(content, on: connection)
                let sent = ContinuousClock.now
                try files.save([(name, file)], on: client)
                let (upload, save) = (
                    (sent - begun) / .microseconds(1), (ContinuousClock.now - sent) / .microseconds(1)
                )
                times.withLock {
                    $0.uploads.append(upload)
                    $0.saves.append(save)
                }
            }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let used = try files.cloud.server.usage.cpuNanoseconds - before
        let count = Double(connections * each)
        let (uploads, saves) = times.withLock { ($0.uploads.sorted(), $0.saves.sorted()) }
        return Row(
            connections: connections, microseconds: Double(used) / 1e3 / count, perSecond: count / seconds,
            uploads: uploads, saves: saves)
    }
}
