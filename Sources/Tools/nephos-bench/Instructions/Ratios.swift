import Foundation
import NephosTesting

/// A kind of request whose cost may be at most a multiple of another's.
struct RatioRow<Clients>: Sendable {
    let name: String
    let count: Int
    /// Another row, by name, and the maximum ratio of the costs.
    let aim: (of: String, ratio: Double)?
    /// Whether it takes so long that the server's background work is subtracted.
    let isLong: Bool
    let send: @Sendable (Clients, Int) throws -> HTTPResponse

    init(
        _ name: String, count: Int, aim: (of: String, ratio: Double)? = nil, isLong: Bool = false,
        _ send: @escaping @Sendable (Clients, Int) throws -> HTTPResponse
    ) {
        (self.name, self.count, self.aim, self.isLong, self.send) = (name, count, aim, isLong, send)
    }
}

/// The user-mode instructions of a server for kinds of requests, and the ratios of these.
struct Ratios {
    private(set) var counts: [(name: String, aim: (of: String, ratio: Double)?, count: Double)] = []

    /// Rows that are compared alternate, because a save costs more the more records there are.
    private static let turns = 25

    /// - Parameters:
    ///   - clients: Makes what sends the requests to the server.
    ///   - together: Rows that alternate.
    init<Clients>(
        _ counter: InstructionCounter, _ server: ServerProcess, clients: Clients, _ together: [[RatioRow<Clients>]]
    ) throws {
        try counter.begin(server)
        var numbers: [String: Int] = [:]
        func send(_ row: RatioRow<Clients>, _ times: Int) throws {
            for _ in 0..<times {
                numbers[row.name, default: 0] += 1
                let response = try row.send(clients, numbers[row.name] ?? 0)
                guard [200, 304].contains(response.status) else {
                    throw Wrk.Failure(
                        description: "\(row.name): \(response.status) \(String(decoding: response.body, as: UTF8.self))"
                    )
                }
            }
        }
        for rows in together {
            // Warms up caches before counting begins, except if that is what the row measures.
            for row in rows where row.count > 1 { try send(row, max(row.count / 4, 4)) }
            let turns = rows.count == 1 ? 1 : Self.turns
            var totals = Array(repeating: 0.0, count: rows.count)
            for _ in 0..<turns {
                for (index, row) in rows.enumerated() {
                    var seconds = 0.0
                    totals[index] += try counter.count(server) {
                        let began = ContinuousClock.now
                        try send(row, row.count / turns)
                        seconds = (.now - began) / .seconds(1)
                    }
                    if row.isLong { totals[index] -= try Self.idle(counter, server) * seconds }
                }
            }
            for (row, total) in zip(rows, totals) {
                counts.append((row.name, row.aim, total / Double(row.count)))
                try? FileHandle.standardError.write(
                    contentsOf: Array("  \(row.name): \(ServerBenchmark.whole(total / Double(row.count)))\n".utf8))
            }
        }
    }

    /// Instructions per second of an idle server.
    private static func idle(_ counter: InstructionCounter, _ server: ServerProcess) throws -> Double {
        let seconds = 60.0
        return try counter.count(server) { Thread.sleep(forTimeInterval: seconds) } / seconds
    }

    subscript(name: String) -> Double? { counts.first { $0.name == name }?.count }

    /// The ratio of a row that has an aim.
    private func ratio(_ aim: (of: String, ratio: Double)?, _ count: Double) -> Double? {
        aim.flatMap { self[$0.of] }.map { count / $0 }
    }

    /// The rows that cost more than they may.
    var above: [String] {
        counts.filter { row in (ratio(row.aim, row.count) ?? 0) > row.aim?.ratio ?? .infinity }.map(\.name)
    }

    var table: String {
        var table = Table(["instructions for a request", "now", "of", "times", "at most"])
        for (name, aim, count) in counts {
            let ratio = ratio(aim, count)
            table.add([
                name, ServerBenchmark.whole(count), ratio == nil ? "" : aim?.of ?? "",
                ratio.map { String(format: "%.3f", $0) } ?? "", aim.map { "\($0.ratio)" } ?? "",
            ])
        }
        return table.text
    }
}
