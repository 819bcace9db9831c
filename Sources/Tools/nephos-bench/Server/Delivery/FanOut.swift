import NephosStorage
import NephosTesting

/// One change that notifies 100,000 devices, and users who save at the same time.
struct FanOut {
    static let devices = 100_000

    struct Result {
        /// For the change alone: the server's processor time per delivery, and the total duration.
        var microsecondsEach, seconds: Double
        /// The duration while another user saves.
        var secondsBeside: Double
        /// Response times of saves in microseconds, ascending.
        var before, during: [Double]
        /// The number of deliveries written.
        var deliveries: Int
    }

    private let cloud: DeliveryCloud

    init() throws {
        cloud = try DeliveryCloud()
        try cloud.addPeople(Self.devices) { _ in [.group("first"), .group("second")] }
        try cloud.save(DeliveryCloud.body(name: "warm"))
        try cloud.waitUntilDelivered()
        try cloud.cloud.server.waitUntilQuiet()
    }

    func run() throws -> Result {
        let server = cloud.cloud.server
        let (start, cpu) = (ContinuousClock.now, try server.usage.cpuNanoseconds)
        try cloud.save(DeliveryCloud.body(name: "all at once", group: "first"))
        try cloud.waitUntilDelivered()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let used = Double(try server.usage.cpuNanoseconds - cpu) / 1e3
        try server.waitUntilQuiet()

        // About as many as during the delivery, so that the longest ones are comparable.
        let before = try saves("before", atLeast: 4_000) { false }
        let again = ContinuousClock.now
        try cloud.save(DeliveryCloud.body(name: "once more", group: "second"))
        let during = try saves("during", atLeast: 1) { try isTelling() }
        let secondsBeside = (ContinuousClock.now - again) / .seconds(1)
        return Result(
            microsecondsEach: used / Double(Self.devices), seconds: seconds, secondsBeside: secondsBeside,
            before: before, during: during, deliveries: try deliveries())
    }

    private func isTelling() throws -> Bool {
        try !cloud.store.rows(ChangeEventRow.oldest(limit: 1)).isEmpty
    }

    /// Response times of consecutive saves in another database.
    private func saves(_ label: String, atLeast count: Int, while isOn: () throws -> Bool) throws -> [Double] {
        let client = cloud.cloud.client
        let path = client.path("records/modify", .private)
        var times: [Double] = []
        while try times.count < count || isOn() {
            for _ in 0..<20 {
                let body = BenchRecord.modify(zone: "New", names: ["\(label)\(times.count)"])
                let start = ContinuousClock.now
                let answer = try client.send("POST", path, body: body)
                times.append((ContinuousClock.now - start) / .microseconds(1))
                guard answer.status == 200 else { throw Wrk.Failure(description: "save: \(answer.status)") }
            }
        }
        return times.sorted()
    }

    /// The number of stored deliveries, counted a thousand devices at a time.
    private func deliveries() throws -> Int {
        let devices = cloud.crowd.devices
        return try stride(from: 0, to: devices.count, by: 1_000).reduce(0) { sum, start in
            var set = ReadSet()
            let scans = devices[start..<min(start + 1_000, devices.count)].map {
                DeliveryRow.waiting(for: $0, now: .max - 1, limit: 10)
            }
            for scan in scans { set.ask(scan) }
            let reading = try cloud.store.read(set)
            return scans.reduce(sum) { $0 + reading[$1].count }
        }
    }
}
