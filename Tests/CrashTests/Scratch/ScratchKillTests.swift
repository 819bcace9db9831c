import NephosStorage
import NephosTesting
import StorageConformance
import TestEngines
import Testing

/// Rows that an engine knows only by their description survive like the records written with them (docs/decisions/0020;
/// docs/protocol.md, D1 to D3).
@Suite("Killing a process that writes described rows", .serialized, .onOwnThreads) struct ScratchKillTests {
    @Test("After a kill every acknowledged row is stored, no batch is partial, and secrets open")
    func kills() async throws {
        let store = try TestStore()
        try await ScratchRounds(data: store.data, environment: store.environment, url: store.url).play(6)
    }
}

@Suite("Crashes of PostgreSQL while described rows are written", .serialized, .onOwnThreads)
struct PostgresScratchTests {
    @Test("Every acknowledged row is stored after the database crashed with the process that wrote it")
    func crashes() async throws {
        let postgres = try PostgresServer()
        let url = try postgres.createDatabase()
        let folder = try TemporaryFolder()
        let environment = ["NEPHOS_STORE": url, "NEPHOS_SECRET_KEY": TestStore.secretKey]
        let rounds = ScratchRounds(data: folder.path, environment: environment, url: url)
        try await rounds.play(3) {
            try postgres.stop(mode: "immediate")
        } recover: {
            try postgres.start()
        }
    }
}

/// Rounds of work on one store: hands write until something dies, and the stored state is compared with what was acknowledged.
struct ScratchRounds {
    let data: String
    let environment: [String: String]
    let url: String?

    func play(
        _ count: Int, strike: () throws -> Void = {}, recover: () throws -> Void = {}
    ) async throws {
        Options.announce("\(count) kills amid described rows")
        var chance = SeededGenerator(seed: Options.seed)
        var known = Array(repeating: ScratchWork.Known(), count: ScratchWork.hands)
        for number in 1...count {
            let writer = try ScratchWriter(data: data, environment: environment, steps: 1_000_000)
            try writer.kill(after: Int.random(in: 5...60, using: &chance), strike)
            for step in try writer.acknowledged() { known[step.hand].acknowledge(step.step) }
            try recover()
            let faults = try await faults(&known)
            #expect(faults.isEmpty, "kill \(number), seed \(Options.seed): \(faults.joined(separator: "\n"))")
            guard faults.isEmpty else { return }
        }
    }

    func faults(_ known: inout [ScratchWork.Known]) async throws -> [String] {
        let work = try await ScratchWork { [data, url] in
            try openEngine(folder: data, url: url, tables: TableCase.tables)
        }
        defer { work.close() }
        return try work.faults(&known)
    }
}
