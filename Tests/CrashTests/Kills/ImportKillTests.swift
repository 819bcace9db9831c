import Foundation
import NephosTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// docs/constraints.md, "Setting them up": an interrupted import is completed by the next one.
@Suite("Killing imports of settings while records are stored", .serialized, .onOwnThreads) struct ImportKillTests {
    @Test("After an import is killed at any time, no free value is refused, and the next import completes it")
    func kills() throws {
        let kills = max(1, Options.kills / 2)
        Options.announce("\(kills) kills of imports")
        var chance = SeededGenerator(seed: Options.seed)
        let server = try ServerProcess()
        let access = try Access(on: server, people: ["ada@example.org"])
        var claims = try ImportedClaims(access, on: server)
        let start = monotonicNow()
        #expect(try claims.runImport(of: ClaimedRecords.settings, server.command) == .exited(0))
        // Its duration without a kill.
        let microseconds = (monotonicNow() - start) / 1_000
        var deaths: [ImportedClaims.Death: Int] = [:]
        for kill in 1...kills {
            #expect(try claims.runImport(of: ClaimedRecords.noSettings, server.command) == .exited(0))
            #expect(try claims.expect(after: "kill \(kill), before", server) == .before)
            let pause = UInt32.random(in: 0...UInt32(microseconds), using: &chance)
            _ = try claims.runImport(of: ClaimedRecords.settings, server.command) { child in
                usleep(pause)
                child.signal(SIGKILL)
            }
            deaths[try claims.expect(after: "kill \(kill) after \(pause) µs", server), default: 0] += 1
            try claims.finish(server, "kill \(kill)")
        }
        print("\(kills) kills of imports: \(deaths)")
        #expect(try server.stop() == .exited(0))
    }
}

#if os(Linux)
    /// The moments are exact: the recorder kills the process just before its n-th change to the disk.
    @Suite("Dying while settings are imported into a data folder", .serialized, .onOwnThreads)
    struct SQLiteImportKillTests {
        private let recorder: DiskRecorder
        private let folder: TemporaryFolder
        private var data: String { folder.path + "/data" }
        /// The original that is copied to ``data`` before each round.
        private var prepared: String { folder.path + "/prepared" }

        init() throws {
            recorder = try DiskRecorder()
            folder = try TemporaryFolder(prefix: "nephos-import")
            try FileManager.default.createDirectory(atPath: prepared, withIntermediateDirectories: true)
            try giveToOrdinaryUser(prepared)
        }

        @Test("An import of constraints that dies at any change is completed by the next one")
        func comes() throws { try dieIn([ClaimedRecords.settings]) }

        /// The remains of the second import may affect the third.
        @Test(
            "No free value is refused after an import dies that removes constraints, or one that adds them again"
        )
        func comesAgain() throws {
            try dieIn([ClaimedRecords.noSettings, ClaimedRecords.settings], after: ClaimedRecords.settings)
        }

        /// Runs imports that die one after the other, each before some change to the disk, with users changing their data in
        /// between; then one that survives.
        private func dieIn(_ texts: [String], after first: String? = nil) throws {
            Options.announce("dying imports")
            var chance = SeededGenerator(seed: Options.seed)
            let claims = try fill(after: first)
            let changes = try self.changes(of: texts, claims)
            var deaths: [[ImportedClaims.Death]: Int] = [:]
            for round in 1...max(1, Options.kills / 2) {
                try prepare()
                var claims = claims
                var ends: [ImportedClaims.Death] = []
                for (text, count) in zip(texts, changes) {
                    let moment = Int.random(in: 1...count, using: &chance)
                    let end = try claims.runImport(of: text, recorded(killAt: moment))
                    #expect(end == .signalled(SIGKILL) || !ends.isEmpty, "change \(moment) of \(count) never came")
                    ends.append(
                        try claims.expect(
                            after: "round \(round), change \(moment) of \(count), \(ends)",
                            try ServerProcess(data: data)))
                }
                try claims.finish(try ServerProcess(data: data), "round \(round), \(ends)")
                deaths[ends, default: 0] += 1
            }
            print("dying imports: \(deaths)")
        }

        private func fill(after first: String?) throws -> ImportedClaims {
            let server = try ServerProcess(data: prepared)
            let claims = try ImportedClaims(Access(on: server, people: ["ada@example.org"]), on: server)
            if let first { #expect(try claims.runImport(of: first, server.command) == .exited(0)) }
            try #require(server.stop() == .exited(0))
            return claims
        }

        /// The number of changes to the disk by imports that survive.
        private func changes(of texts: [String], _ claims: ImportedClaims) throws -> [Int] {
            try prepare()
            var counts = [0]
            for text in texts {
                try #require(try claims.runImport(of: text, recorded()) == .exited(0))
                let entries = try DiskLog(reading: recorder.log).entries
                counts.append(entries.count { ![.syncEnd, .directory, .mapped].contains($0.kind) })
            }
            return zip(counts, counts.dropFirst()).map { $1 - $0 }
        }

        private func prepare() throws {
            if FileManager.default.fileExists(atPath: data) { try FileManager.default.removeItem(atPath: data) }
            try FileManager.default.copyItem(atPath: prepared, toPath: data)
            try giveToOrdinaryUser(data)
        }

        private func recorded(killAt moment: Int? = nil) throws -> NephosCommand {
            var command = try NephosCommand(data: data)
            command.environment.merge(recorder.environment(data: data, killAt: moment)) { $1 }
            return command
        }
    }
#endif
