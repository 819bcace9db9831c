import NephosBackend
import NephosStorage
import Testing

/// docs/decisions/0007: a row exists from when a file is on the disk until before it is removed.
@Suite("Files and rows after a crash at any point", .serialized) struct AssetFaultWalkTests {
    private func content(_ seed: Int) -> [UInt8] { (0..<25_000).map { UInt8(truncatingIfNeeded: $0 &* seed >> 5) } }

    @Test("After a crash between upload and removal, every referenced file exists, and in the end no other file does")
    func everyStep() async throws {
        let cloud = try await AssetCloud()
        defer { cloud.engine.close() }
        for steps in 0... {
            let fuse = Fuse(after: steps)
            do {
                try await live(in: cloud, fuse, number: steps)
            } catch {
                // Whatever the last error of the dead process was.
                #expect(fuse.isBlown, "\(error)")
            }
            try cloud.expectAllThere("died after \(steps) steps")
            let upkeep = cloud.upkeep(try cloud.files())
            try await upkeep.sweep(cloud.store)
            try await upkeep.removeStrays()
            try cloud.expectAllThere("cleaned up behind \(steps) steps")
            try cloud.expectNothingElse("cleaned up behind \(steps) steps")
            guard fuse.isBlown else {
                #expect(steps > 40, "the walk took \(steps) steps")
                return
            }
        }
    }

    /// A file is uploaded, saved, uploaded again, replaced by another, and removed when its time has come.
    private func live(in cloud: AssetCloud, _ fuse: Fuse, number: Int) async throws {
        let files = try cloud.files(fuse)
        let name = "record \(number)"
        let first = try await cloud.upload(content(2 * number + 1), files, fuse)
        try await cloud.save(name, first, fuse)
        _ = try await cloud.upload(content(2 * number + 1), files, fuse)
        let second = try await cloud.upload(content(2 * number + 2), files, fuse)
        try await cloud.save(name, second, fuse)
        try await cloud.upkeep(files).sweep(cloud.store)
    }

    @Test("A receipt is valid for 23 hours, and until then its file is kept, whatever is swept") func receipts()
        async throws
    {
        let cloud = try await AssetCloud()
        defer { cloud.engine.close() }
        let hour: Milliseconds = 3_600_000
        let value = try await cloud.upload(content(7), try cloud.files())
        #expect(try await !cloud.save("late", value, after: 23 * hour))
        try await cloud.save("held", value, after: 22 * hour)
        try await cloud.upkeep(try cloud.files()).sweep(cloud.store)
        try cloud.expectAllThere("after a day")
        #expect(try await cloud.save("again", value, after: 22 * hour))
    }

    @Test("While equal files are uploaded during a sweep, no record refers to a missing file") func race()
        async throws
    {
        let cloud = try await AssetCloud()
        defer { cloud.engine.close() }
        let bytes = content(3)
        // The first one extends the schema, which no two can do concurrently.
        try await cloud.save("first", try await cloud.upload([0], try cloud.files()))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    let files = try cloud.files()
                    var saved = 0
                    for round in 0..<40 {
                        let value = try await cloud.upload(bytes, files)
                        // With the sweep's clock a receipt may expire immediately, and its file be removed.
                        if try await cloud.save("\(writer) \(round % 2)", value) { saved += 1 }
                        if round % 3 == 2 {
                            let other = try await cloud.upload([UInt8(writer)], files)
                            try await cloud.save("\(writer) 0", other)
                            try await cloud.save("\(writer) 1", other)
                        }
                    }
                    return saved
                }
            }
            group.addTask {
                let upkeep = cloud.upkeep(try cloud.files())
                for _ in 0..<60 { try await upkeep.sweep(cloud.store) }
                return 0
            }
            var saved = 0
            for try await count in group { saved += count }
            #expect(saved > 0)
        }
        try cloud.expectAllThere("after the race")
    }
}
