import NephosTesting

/// The cost of 10,000 waiting long polls on a server, while other users save.
struct ParkedPolls {
    static let count = 10_000
    private static let seconds = 3
    private static let rounds = 3

    struct Result {
        /// Resident memory per poll in bytes: when all are waiting, and after saves in the meantime.
        var bytesEach, bytesEachBesideSaves: Double
        /// Server processor time of a save in microseconds, including matching: without polls, and with them.
        var saveBefore, saveBeside: Double
        /// Response times of saves, in microseconds.
        var percentile99Before, percentile99Beside: Int
    }

    func run() throws -> Result {
        Audience.allowManyConnections()
        let cloud = try DeliveryCloud(environment: ["NEPHOS_COURIER_SECONDS": "600"])
        try cloud.addPeople(Self.count) { [.number($0 + 100)] }
        let server = cloud.cloud.server
        let wrk = try Wrk()
        let meter = Meter(server: server, wrk: wrk, seconds: Self.seconds)
        // With a number that matches no subscription, because notified devices would stop waiting.
        let test = try cloud.saves(wrk)
        let before = try meter.measure(test, connections: 32, rounds: Self.rounds, label: "before")
        try cloud.waitUntilDelivered()
        try server.waitUntilQuiet()
        let bytesBefore = Double(try server.usage.residentBytes)

        let audience = try Audience(try cloud.courierTargets(), port: server.port) { _ in .poll }
        try server.waitUntilQuiet()
        let parked = Double(try server.usage.residentBytes)
        let beside = try meter.measure(test, connections: 32, rounds: Self.rounds, label: "beside")
        let besideSaves = Double(try server.usage.residentBytes)
        guard audience.isSilent else { throw Wrk.Failure(description: "some polls were answered") }
        let each = Double(Self.count)
        return Result(
            bytesEach: (parked - bytesBefore) / each, bytesEachBesideSaves: (besideSaves - bytesBefore) / each,
            saveBefore: before.microseconds, saveBeside: beside.microseconds,
            percentile99Before: before.percentile99, percentile99Beside: beside.percentile99)
    }
}
