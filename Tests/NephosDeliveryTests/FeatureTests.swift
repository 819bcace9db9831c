import NephosAssets
import NephosDelivery
import NephosRunner
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// docs/decisions/0029: how a server's settings configure delivery.
@Suite("Delivery as a feature of a server") struct FeatureTests {
    private struct Nothing: Post {
        func send(_ delivery: DeliveryRow, to device: DeviceRow, _ catalog: Catalog) async -> SendOutcome {
            .refused(reason: "nothing is sent here")
        }

        func close() async {}
    }

    private func service(_ settings: FeatureSettings) throws -> FeatureService {
        let worker = Worker(Runner(engine: EmptyEngine()), clock: { 1 })
        let folder = try TemporaryFolder(prefix: "nephos-feature-tests")
        let host = FeatureHost(
            worker: worker, apart: worker, randomSource: .system, news: NewsWatch(worker), indexes: IndexKeeper(),
            files: try DiskAssetStore(folder: folder.path), http: NoOutgoingHTTP(),
            counter: { _, _ in {} }, failed: { _, _, _ in })
        return try Feature.delivery { _ in Nothing() }.prepare(settings)(host)
    }

    @Test("Its environment variables are used; unset and empty ones change nothing")
    func variables() throws {
        let options = try DeliveryOptions(
            FeatureSettings(environment: [
                "NEPHOS_PUSH_WINDOW_MILLISECONDS": "250", "NEPHOS_PUSH_POLL_SECONDS": "3", "NEPHOS_DEVICE_HOURS": "48",
                "NEPHOS_COURIER_SECONDS": "7", "NEPHOS_PUSH_LOG_DAYS": "",
            ]))
        #expect(options.window == 250 && options.pollEvery == .seconds(3) && options.pollWait == .seconds(7))
        #expect(options.deviceHours == 48 && options.logDays == 7 && options.notifiesDevices)
    }

    @Test("Invalid values are rejected before the server starts, with the variable and what is needed")
    func refused() {
        let wrong = FeatureSettings(environment: ["NEPHOS_DEVICE_HOURS": "1"])
        let problem = #expect(throws: EnvironmentProblem.self) {
            try [Feature.delivery { _ in Nothing() }].prepared(for: wrong)
        }
        #expect(problem?.description == "NEPHOS_DEVICE_HOURS=1: a whole number from 2 to 87600 is needed.")
    }

    @Test("A server with delivery turned off serves the same paths and has no background work for them")
    func quiet() throws {
        var settings = FeatureSettings()
        let telling = try service(settings)
        #expect(telling.jobs.map(\.name) == ["delivery"] && telling.run != nil)
        #expect(telling.figures.map { ($0.key, $0.value()) }.contains { $0 == ("nephos_devices_waiting", 0) })
        settings.isQuiet = true
        let quiet = try service(settings)
        #expect(quiet.jobs.isEmpty && quiet.figures.isEmpty && quiet.run == nil)
        #expect(quiet.endpoints.map(\.name) == telling.endpoints.map(\.name) && quiet.endpoints.count == 6)
    }
}
