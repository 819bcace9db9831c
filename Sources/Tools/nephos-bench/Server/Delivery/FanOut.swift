import NephosStorage
import NephosTesting

/// One change that 100,000 devices are told of, and people who save meanwhile.
struct FanOut {
    static let devices = 100_000

    struct Result {
        /// Of the change alone: the server's processor time for one delivery, and how long it took in all.
        var microsecondsEach, seconds: Double
        /// The same beside somebody who saves.
        var secondsBeside: Double
        /// Of the time that a save waits for its answer, in microseconds, ascending.
        var before, during: [Double]
        /// Deliveries that were written.
        var deliveries: Int
    }

    private let cloud: DeliveryCloud

    init() throws {
        cloud = try DeliveryCloud()
        try cloud.addPeople(Self.devices) { _ in [.group("first"), .group("second")] }
        try cloud.save(DeliveryCloud.body(name: "warm"))
        try cloud.waitUntilTold()
        try cloud.cloud.server.waitUntilQuiet()
    }

    func run() throws -> Result {
        let server = cloud.cloud.server
        let (start, cpu) = (ContinuousClock.now, try server.usage.cpuNanoseconds)
        try cloud.save(DeliveryCloud.body(name: "all at once", group: "first"))
        try cloud.waitUntilTold()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let used = Double(try server.usage.cpuNanoseconds - cpu) / 1e3
        try server.waitUntilQuiet()

        // About as many as meanwhile, or the longest of them could not be compared.
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

    /// How long each of some saves takes, one after the other, in another database.
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

    /// How many deliveries lie there, by a thousand devices at a time.
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
