import Foundation
import NephosTesting
import Testing

/// docs/audiences.md, "Times".
@Suite("Time zones of the system") struct TimeZoneTests {
    /// A time zone whose clocks are always ahead of UTC by these hours, as a file of a database.
    private static func file(hours: Int) -> [UInt8] {
        // One kind of time with an abbreviation of four bytes, and no changes.
        var part = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 31)
        part += [0, 0, 0, 1, 0, 0, 0, 4] as [UInt8]
        for bits in [24, 16, 8, 0] { part.append(UInt8(truncatingIfNeeded: (hours * 3_600) >> bits)) }
        part += [0, 0] + Array("ABC\0".utf8)
        return part + part + Array("\n<+\(hours)>-\(hours)\n".utf8)
    }

    @Test("A rule holds as soon as the system's database has it; what is built in is for what it lacks")
    func changed() throws {
        let folder = try TemporaryFolder(prefix: "nephos-zones")
        for (name, hours) in [("Europe/Berlin", 2), ("America/Los_Angeles", 9)] {
            let path = "\(folder.path)/\(name)"
            let area = URL(filePath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: area, withIntermediateDirectories: true)
            try writeFile(path, Self.file(hours: hours))
        }
        var nephos = try NephosCommand(TestStore())
        let id = DataFolder.container
        try nephos("container", "create", id, "--new-store")
        try nephos("flag", "create", id, "tipJar", "--default", "false")
        for (database, zone, time) in [
            // As if a government had decided to keep summer time.
            (folder.path, "Europe/Berlin", "2999-12-01T10:00:00Z"),
            (folder.path, "America/Los_Angeles", "2999-12-01T03:00:00Z"),
            // A former name that the database lacks has the rule of the present one, and a zone that it lacks is built in.
            (folder.path, "US/Pacific", "2999-12-01T03:00:00Z"), (folder.path, "Asia/Kolkata", "2999-12-01T06:30:00Z"),
            ("/nonexistent", "Europe/Berlin", "2999-12-01T11:00:00Z"),
            ("/nonexistent", "US/Pacific", "2999-12-01T20:00:00Z"),
        ] {
            nephos.environment["TZDIR"] = database
            let said = try nephos.run(["flag", "schedule", id, "tipJar", "on", "2999-12-01 12:00 \(zone)"])
            #expect(said.status == 0 && said.errors.contains("at \(time)"), "\(zone): \(said)")
        }
        let unknown = try nephos.run(["flag", "schedule", id, "tipJar", "on", "2999-12-01 12:00 Europe/Nowhere"])
        #expect(unknown.status == 2, "\(unknown)")
    }
}
