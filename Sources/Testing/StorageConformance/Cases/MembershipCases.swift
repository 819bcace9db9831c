import CloudKitWire
import NephosStorage

extension StorageCase {
    static let memberships: [StorageCase] = [rolesOfUsers]

    static let rolesOfUsers = StorageCase(
        "a person has the roles that their user record names, each once, and none without a record"
    ) { tenant in
        let zone = tenant.publicDatabase.defaultZone
        let people = (1...6).map { UserID(high: 0xABCD, low: $0) }
        func fields(_ type: String, _ value: String) -> String { #"{"roles":{"type":"\#(type)","value":\#(value)}}"# }
        let records = [
            fields("INT64_LIST", "[12,4,12,9007199254740993]"), fields("INT64_LIST", "[]"), "{}",
            fields("STRING_LIST", #"["4"]"#),
        ]
        for (person, record) in zip(people, records) { try await zone.save(Name(person.recordName), record) }
        // The same name elsewhere has no effect.
        let elsewhere = try await tenant.publicDatabase.createZone("Trips")
        try await elsewhere.save(Name(people[4].recordName), fields("INT64_LIST", "[5]"))
        let own = try await tenant.person(1).defaultZone
        try await own.save(Name(people[4].recordName), fields("INT64_LIST", "[5]"))

        func roles() throws -> [[Int64]] {
            var set = ReadSet()
            set.memberships = people + [people[0]]
            return try tenant.store.read(set).memberships
        }
        let first: [Int64] = [4, 12, 9_007_199_254_740_993]
        try expectEqual(try roles(), [first, [], [], [], [], [], first], "the roles")
        try await zone.save(Name(people[1].recordName), fields("INT64_LIST", "[7]"))
        try await zone.delete(Name(people[0].recordName))
        try expectEqual(try roles(), [[], [7], [], [], [], [], []], "the roles after they were changed")
    }
}
