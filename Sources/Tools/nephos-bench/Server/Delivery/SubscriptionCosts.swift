import NephosTesting

/// The cost of a save with more or fewer subscriptions on its type, and the cost of its notifications.
///
/// All subscriptions have an equality filter, each another constant; records match one of the first ten. So the number of
/// notifications is independent of the number of subscriptions. Servers alternate, so that other load affects all of them.
struct SubscriptionCosts {
    struct Row {
        var subscriptions: Int
        /// Server processor time in microseconds: of a save on a server that sends no notifications, and of notifying of one
        /// change.
        var save: Double
        var telling: Double?
        /// Medians of the rounds' ratios: of saves compared with no subscriptions, of notifying compared with ten.
        var ratioOfSave = 1.0, ratioOfTelling = 1.0
        /// The minimum and the maximum of the rounds' ratios.
        var rangeOfSave = 1.0...1.0, rangeOfTelling = 1.0...1.0
    }

    private static let counts = [0, 10, 100_000]
    private static let rounds = 15
    private static let roundsOfTelling = 7
    private static let seconds = 1
    private static let changes = 2_000

    func rows() throws -> [Row] {
        let clouds = try Self.counts.map { count in
            let cloud = try DeliveryCloud()
            // At least one user, who saves.
            try cloud.addPeople(max(count, 1)) { count > 0 ? [.number($0)] : [] }
            return cloud
        }
        // The first change loads all subscriptions.
        for cloud in clouds {
            try cloud.save(DeliveryCloud.body(name: "first", number: "3"))
            try cloud.waitUntilDelivered()
            try cloud.cloud.server.waitUntilQuiet()
        }
        // Including those without subscriptions, so that all databases grow alike: a save costs more in a larger database.
        let telling = try (0..<Self.roundsOfTelling).map { round in try clouds.map { try tell($0, round) } }
        for cloud in clouds { try cloud.cloud.server.stop() }
        let silent = try clouds.map { try ServerProcess(["--bench", "--quiet"], data: $0.cloud.server.command.data) }
        let wrk = try Wrk()
        let saves = try (0..<Self.rounds).map { round in
            let all = Array(zip(clouds, silent))
            // In reverse order every other time, so that none always follows the same one.
            let isTurned = round % 2 == 1
            let found = try (isTurned ? all.reversed() : all).map { try save($0, $1, wrk, round) }
            return isTurned ? found.reversed() : found
        }
        return Self.rows(saves: saves, telling: telling)
    }

    /// Microseconds per change. This process saves them, so that the server only sends notifications.
    private func tell(_ cloud: DeliveryCloud, _ round: Int) throws -> Double {
        let before = try cloud.cloud.server.usage.cpuNanoseconds
        try cloud.saveHere(Self.changes, label: "told\(round)-")
        try cloud.waitUntilDelivered()
        return Double(try cloud.cloud.server.usage.cpuNanoseconds - before) / 1e3 / Double(Self.changes)
    }

    /// Microseconds for a save.
    private func save(_ cloud: DeliveryCloud, _ server: ServerProcess, _ wrk: Wrk, _ round: Int) throws -> Double {
        let test = try cloud.saves(wrk)
        let before = try server.usage.cpuNanoseconds
        let result = try wrk.run(
            test.script, test.arguments + ["quiet\(round)-"], port: server.port, connections: 32, seconds: Self.seconds)
        guard result.failures == 0 else { throw Wrk.Failure(description: "\(result.failures) saves failed") }
        return Double(try server.usage.cpuNanoseconds - before) / 1e3 / Double(result.requests)
    }

    private static func rows(saves: [[Double]], telling: [[Double]]) -> [Row] {
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        func range(_ values: [Double]) -> ClosedRange<Double> { (values.min() ?? 0)...(values.max() ?? 0) }
        return counts.indices.map { index in
            var row = Row(subscriptions: counts[index], save: median(saves.map { $0[index] }))
            let ratios = saves.map { $0[index] / $0[0] }
            (row.ratioOfSave, row.rangeOfSave) = (median(ratios), range(ratios))
            guard index > 0 else { return row }
            row.telling = median(telling.map { $0[index] })
            let tellingRatios = telling.map { $0[index] / $0[1] }
            (row.ratioOfTelling, row.rangeOfTelling) = (median(tellingRatios), range(tellingRatios))
            return row
        }
    }
}
