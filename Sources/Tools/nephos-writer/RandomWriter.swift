import NephosTesting

/// Saves, deletes, creates and deletes zones, sweeps and purges at random, determined by a seed. Half of the record names are used
/// by this process only, the other half by all, as all zones are.
struct RandomWriter {
    private static let zones = ["a", "b", "c"]

    private let database: JournaledDatabase
    /// Its number among all writers of all processes.
    private let number: Int
    private let names: [String]
    private var chance: SeededGenerator
    private var saves = 0

    init(_ database: JournaledDatabase, process: Int, hand: Int, seed: UInt64) {
        self.database = database
        number = process * 2 + hand
        names = (0..<8).flatMap { ["own\(process)-\($0)", "shared-\($0)"] }
        chance = SeededGenerator(seed: seed &* 4 &+ UInt64(number))
    }

    mutating func step() async throws {
        let zone = Self.zones[Int.random(in: 0..<Self.zones.count, using: &chance)]
        switch Int.random(in: 0..<24, using: &chance) {
        case 0: try await database.modifyZones([("delete", zone)])
        // Replaces the zone by another one with the same name in one commit.
        case 1: try await database.modifyZones([("delete", zone), ("create", zone)])
        case 2: try await database.sweep(rows: Int.random(in: 1...20, using: &chance))
        case 3, 4:
            let age = Int64.random(in: 0...100, using: &chance)
            try await database.purge(before: JournaledDatabase.now - age, rows: Int.random(in: 1...10, using: &chance))
        default:
            let request = recordsRequest(zone)
            if try await !database.modifyRecords(request) { try await database.modifyZones([("create", zone)]) }
        }
    }

    private mutating func recordsRequest(_ zone: String) -> String {
        let count = Int.random(in: 1...6, using: &chance)
        let operations = names.shuffled(using: &chance).prefix(count).map { operation($0) }.joined(separator: ",")
        let atomic = chance.once(in: 3)
        return #"{"zoneID":{"zoneName":"\#(zone)"},"atomic":\#(atomic),"operations":[\#(operations)]}"#
    }

    private mutating func operation(_ name: String) -> String {
        let kind =
            ["forceUpdate", "forceReplace", "forceReplace", "create", "forceDelete"]
            .randomElement(using: &chance) ?? "create"
        guard kind != "forceDelete" else {
            return #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#
        }
        saves += 1
        // Each save of a history has different fields.
        return #"""
            {"operationType":"\#(kind)","record":{"recordName":"\#(name)","recordType":"Note",\#
            "fields":{"n":{"value":\#(saves * 4 + number)}}}}
            """#
    }
}
