import CloudKit
import FeatureSwitches
import FeatureSwitchesCloudKit
import Foundation
import NephosTesting
import Testing

/// The kit against the program as operators run it, over the network. All suites share one server, which stops when the last test
/// has ended; each test has its own container.
@Suite(.flagServer) enum ServerTests {}

struct FlagServerTrait: SuiteTrait, TestScoping {
    @TaskLocal static var cloud: TestCloud?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        // Commands block the threads on which they run.
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let cloud = try TestCloud()
            try await FlagServerTrait.$cloud.withValue(cloud) { try await body() }
            let end = try cloud.server.stop()
            #expect(end == .exited(0), "the server did not finish well: \(cloud.server.logText.suffix(2_000))")
        }
    }
}

extension Trait where Self == FlagServerTrait {
    static var flagServer: Self { Self() }
}

/// A container with flags, on a real server.
struct FlagServer {
    let container: TestContainer
    let keeping: Keeping
    private var folder: TemporaryFolder { keeping.folder }

    /// - Parameter settings: As YAML; nil for a server that does not treat its records as flags, like Apple's.
    init(settings: String? = nil) throws {
        container = try #require(FlagServerTrait.cloud).container()
        keeping = try Keeping()
        let texts = ["displayName", "state", "kind", "variants", "offVariant", "defaultVariant", "rules", "salt"]
        let system = [#""___recordID" REFERENCE QUERYABLE"#, #""___modTime" TIMESTAMP QUERYABLE SORTABLE"#]
        try container.importSchema(
            TestContainer.recordType("FeatureFlag", system + texts.map { "\($0) STRING" })
                + TestContainer.recordType(
                    "AppFeatures", system + ["tipJar INT64", "versionCheck INT64", "theme STRING"]))
        guard let settings else { return }
        let file = keeping.folder.path + "/settings.yaml"
        try writeFile(file, Array(settings.utf8))
        try container.cloud.server.command("settings", "import", container.id, file)
    }

    var url: URL { URL(string: "http://127.0.0.1:\(container.cloud.server.port)") ?? URL(filePath: "/") }

    /// The app's container, as accessed by a program on Linux.
    func cloud(_ webAuthToken: String? = nil) -> CKContainer {
        let cache = URL(fileURLWithPath: folder.path)
        return CKContainer(
            identifier: container.id,
            configuration: NephosConfiguration(
                serverURL: url, environment: .development, apiToken: container.apiToken, webAuthToken: webAuthToken,
                cacheFolder: cache))
    }

    /// The database of a user who may change flags.
    func editor() throws -> CKDatabase { try cloud(container.signIn("ada@example.org")).publicCloudDatabase }

    func ofrep(_ webAuthToken: String? = nil) -> OFREPProvider {
        var credentials = OFREPProvider.Credentials(token: container.apiToken)
        if let webAuthToken { credentials.webAuthToken = { webAuthToken } }
        return OFREPProvider(
            server: url, container: container.id, environment: "development", credentials: credentials)
    }

    func switches(
        _ provider: any FlagProvider, _ declared: [any DeclaredFlag] = [], _ context: FlagContext = FlagContext()
    ) -> FeatureSwitches {
        FeatureSwitches(provider: provider, declaring: declared, context: context, file: keeping.file)
    }
}

/// A switch, as the record of one flag.
func flagRecord(_ id: String, state: String = "on", rules: String? = nil) -> CKRecord {
    let record = CKRecord(recordType: "FeatureFlag", recordID: CKRecord.ID(recordName: id))
    record["state"] = state
    record["variants"] = #"{"off":false,"on":true}"#
    (record["offVariant"], record["defaultVariant"]) = ("off", "on")
    record["rules"] = rules
    return record
}
