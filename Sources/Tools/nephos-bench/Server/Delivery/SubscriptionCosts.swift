import NephosTesting

/// What a save costs with more or fewer subscriptions on its type, and what it costs to match it with them.
///
/// All subscriptions have an equality filter, each another constant; records match one of the first ten. So as many devices
/// are told of as many changes, however many subscriptions there are. Servers take turns, so that what else the machine does
/// meets all of them.
struct SubscriptionCosts {
    struct Row {
        var subscriptions: Int
        /// Server processor time in microseconds: of a save by a server that tells nobody, and of a save with telling.
        var save, told: Double
        /// Of the rounds' ratios to the first row with subscriptions, the median; of the saves to the row without any.
        var ratioOfSave = 1.0, ratioOfTelling = 1.0

        /// For one change.
        var telling: Double { told - save }
    }

    private static let counts = [0, 10, 100_000]
    private static let rounds = 5
    private static let seconds = 1

    func rows() throws -> [Row] {
        let clouds = try Self.counts.map { count in
            let cloud = try DeliveryCloud()
            try cloud.addPeople(count) { [.number($0)] }
            return cloud
        }
        let wrk = try Wrk()
        // The first change loads all subscriptions.
        for cloud in clouds {
            try cloud.save(DeliveryCloud.body(name: "first", number: "3"))
            try cloud.waitUntilTold()
            try cloud.cloud.server.waitUntilQuiet()
        }
        let told = try turns(clouds, clouds.map(\.cloud.server), wrk, label: "told")
        for cloud in clouds { try cloud.cloud.server.stop() }
        let silent = try clouds.map { try ServerProcess(["--bench", "--quiet"], data: $0.cloud.server.command.data) }
        let saves = try turns(clouds, silent, wrk, label: "quiet")
        return Self.rows(saves: saves, told: told)
    }

    /// Microseconds of a save, of each server in each round.
    private func turns(
        _ clouds: [DeliveryCloud], _ servers: [ServerProcess], _ wrk: Wrk, label: String
    ) throws -> [[Double]] {
        let isTelling = label == "told"
        return try (0..<Self.rounds).map { round in
            try zip(clouds, servers).map { cloud, server in
                let test = try cloud.saves(wrk)
                let before = try server.usage.cpuNanoseconds
                let result = try wrk.run(
                    test.script, test.arguments + ["\(label)\(round)-"], port: server.port, connections: 32,
                    seconds: Self.seconds)
                guard result.failures == 0 else { throw Wrk.Failure(description: "\(result.failures) saves failed") }
                if isTelling { try cloud.waitUntilTold() }
                return Double(try server.usage.cpuNanoseconds - before) / 1e3 / Double(result.requests)
            }
        }
    }

    private static func rows(saves: [[Double]], told: [[Double]]) -> [Row] {
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        let medians = counts.indices.map { index in median(saves.map { $0[index] }) }
        return counts.indices.map { index in
            var row = Row(subscriptions: counts[index], save: medians[index], told: median(told.map { $0[index] }))
            row.ratioOfSave = median(saves.map { $0[index] / $0[0] })
            if index > 0 {
                row.ratioOfTelling = median(told.map { ($0[index] - medians[index]) / ($0[1] - medians[1]) })
            }
            return row
        }
    }
}
