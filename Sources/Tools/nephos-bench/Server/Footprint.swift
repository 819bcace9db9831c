import NephosTesting

/// The resources of an idle server, and its startup time.
enum Footprint {
    /// Resident megabytes of a server that has just started.
    static func idle() throws -> Double { try megabytes(ServerProcess()) }

    private static func megabytes(_ server: ServerProcess) throws -> Double {
        Double(try server.usage.residentBytes) / 1_048_576
    }

    /// Seconds from starting the process to its first response with a record, with `records` on disk.
    static func firstAnswer(records: Int) throws -> Double {
        let cloud = try BenchCloud()
        try cloud.fill("Many", records)
        let times = try (0..<5).map { _ in
            _ = try cloud.server.stop()
            let start = ContinuousClock.now
            try cloud.server.start()
            try cloud.post("records/lookup", ["zoneID": ["zoneName": "Many"], "records": [["recordName": "r77"]]])
            return (ContinuousClock.now - start) / .seconds(1)
        }
        return times.sorted()[times.count / 2]
    }

    /// Resident megabytes of a server after one request to each of `containers` containers.
    static func manyContainers(_ containers: Int) throws -> Double {
        let server = try ServerProcess()
        for number in 0..<containers { try server.command("container", "create", "iCloud.test.idle\(number)") }
        for number in 0..<containers {
            // Rejected, but only after opening the container to check the token.
            let client = CloudKitClient(
                port: server.port, container: "iCloud.test.idle\(number)",
                credentials: .app(apiToken: String(repeating: "0", count: 64)))
            guard try client.get("users/caller", .public).status == 401 else {
                throw Wrk.Failure(description: "container \(number) did not answer 401")
            }
        }
        return try megabytes(server)
    }
}
