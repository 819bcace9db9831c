import NephosTesting

/// The time from a save to the first byte at a listener, with 1,000 listening devices: half of them with long polls, half with
/// streams.
struct Listeners {
    static let count = 1_000
    private static let singles = 400
    private static let broadcasts = 5

    /// Times in microseconds, ascending: from the save's request to the first byte, and from its response to the first byte, which
    /// may arrive before the response.
    struct Times {
        var fromRequest: [Double] = []
        var fromAnswer: [Double] = []

        mutating func add(_ arrivals: Audience.Arrivals, _ places: some Sequence<Int>) {
            for time in places.compactMap({ arrivals.byDevice[$0] }) {
                fromRequest.append(time)
                fromAnswer.append(time - (arrivals.answered ?? 0))
            }
        }

        mutating func sort() {
            fromRequest.sort()
            fromAnswer.sort()
        }
    }

    struct Row {
        var name: String
        var times: Times
    }

    /// - Parameter postgres: Where two servers store their data: one receives saves, the other has the listeners; nil for one
    ///   server with SQLite.
    static func rows(_ postgres: PostgresServer?) throws -> [Row] {
        let url = try postgres?.createDatabase()
        let patience = ["NEPHOS_COURIER_SECONDS": "600"]
        let cloud = try DeliveryCloud(environment: patience, url: url)
        try cloud.addPeople(count) { [.number($0), .group("everybody")] }
        let other = try url.map { try ServerProcess(environment: patience.merging(["NEPHOS_STORE": $0]) { $1 }) }
        let listened = other ?? cloud.cloud.server
        let saver = try Socket(port: cloud.cloud.server.port)
        let audience = try Audience(try cloud.courierTargets(), port: listened.port, saver: saver) {
            $0.isMultiple(of: 2) ? .poll : .stream
        }
        try listened.waitUntilQuiet()
        return try measure(cloud, audience)
    }

    private static func measure(_ cloud: DeliveryCloud, _ audience: Audience) throws -> [Row] {
        func request(_ body: [UInt8]) -> [UInt8] {
            HTTPRequest("POST", cloud.publicTarget, headers: [HTTPHeader("Content-Type", "text/plain")], body: body)
                .bytes(host: "127.0.0.1")
        }
        var (poll, stream, all) = (Times(), Times(), Times())
        var generator = SeededGenerator(seed: 1)
        for save in 0..<(singles + 20) {
            let place = Int.random(in: 0..<count, using: &generator)
            let arrivals = try audience.wait(
                for: [place], after: request(DeliveryCloud.body(name: "single\(save)", number: "\(place)")))
            // The first ones are for warm-up.
            guard save >= 20 else { continue }
            if place.isMultiple(of: 2) { poll.add(arrivals, [place]) } else { stream.add(arrivals, [place]) }
        }
        for save in 0..<broadcasts {
            let arrivals = try audience.wait(
                for: Set(0..<count), after: request(DeliveryCloud.body(name: "all\(save)", group: "everybody")))
            all.add(arrivals, 0..<count)
        }
        var rows = [
            Row(name: "a change for one of them, a long poll", times: poll),
            Row(name: "a change for one of them, a stream", times: stream),
            Row(name: "a change for all 1,000", times: all),
        ]
        for index in rows.indices { rows[index].times.sort() }
        return rows
    }
}
