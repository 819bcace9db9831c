import NephosTesting
import Synchronization
import Testing

extension ServerTests {
    /// docs/protocol.md, M1, M13 and D2: everything that a request writes is one transaction.
    @Suite struct TransactionTests {
        /// A database, and the zone in it.
        struct Place: CustomTestStringConvertible, Sendable {
            var database: Database
            var zone: String?
            var testDescription: String { "\(database.rawValue) \(zone ?? "_defaultZone")" }
        }

        static let places = [
            Place(database: .public), Place(database: .private), Place(database: .private, zone: "Notes"),
        ]

        @Test("A reader during a batch sees all of it or nothing, in public as in private (S2-11)", arguments: places)
        func aBatchIsSeenWholeOrNotAtAll(place: Place) throws {
            let notes = try Notes()
            let names = (0..<40).map { "R\($0)" }
            let (container, credentials) = (notes.container, notes.ada.credentials)
            @Sendable func save(_ number: Int64, by client: CloudKitClient) throws {
                let operations = names.map {
                    operation("forceUpdate", $0, fields: ["n": ["value": .int(number)]])
                }
                try client.modify(operations, zone: place.zone, in: place.database)
            }
            try save(0, by: notes.ada)
            let isWriting = Atomic(true)
            // The numbers in every read. They are checked on the test's own thread, which is the only one that is associated with
            // it.
            let seen = Mutex<Set<Set<Int64?>>>([])
            try inThreads(3) { number in
                let client = container.client(credentials)
                if number == 0 {
                    defer { isWriting.store(false, ordering: .sequentiallyConsistent) }
                    for round: Int64 in 1...60 { try save(round, by: client) }
                } else {
                    while isWriting.load(ordering: .sequentiallyConsistent) {
                        let records = try client.lookUp(names, zone: place.zone, in: place.database)
                        let numbers = Set(records.map { $0["fields"]["n"]["value"].int64 })
                        seen.withLock { _ = $0.insert(numbers) }
                    }
                }
            }
            let looks = seen.withLock(\.self)
            #expect(looks.allSatisfy { $0.count == 1 && !$0.contains(nil) }, "a batch was seen by halves: \(looks)")
            #expect(looks.count > 2, "nobody read while there was writing")
        }

        @Test("A batch that is rejected as a whole writes nothing, in public as in private (S2-11)", arguments: places)
        func aRefusedBatchWritesNothing(place: Place) throws {
            let notes = try Notes()
            let more = (0..<19).map { operation("create", "more\($0)") }
            // A repeated name; an unknown operation; too many.
            let many = (0..<201).map { operation("create", "many\($0)") }
            for batch in [more + [operation("create", "more0")], more + [operation("invent", "x")], many] {
                let body: JSON = [
                    "operations": .array(batch), "zoneID": place.zone.map { ["zoneName": .string($0)] } ?? .absent,
                ]
                try expectRefused(try notes.ada.post("records/modify", place.database, body), "BAD_REQUEST")
                let names = batch.prefix(200).compactMap { $0["record"]["recordName"].string }
                for record in try notes.ada.lookUp(names, zone: place.zone, in: place.database) {
                    expectItem(record, refusedWith: "NOT_FOUND")
                }
            }
        }
    }
}
