import NephosTesting
import Testing

extension DeliveryTests {
    /// Query subscriptions: who is notified of a change, and with which content (docs/protocol.md B5, B10, B11; 0006).
    @Suite(.serialized) struct QueryScenarios {
        struct Row: CustomTestStringConvertible, Sendable {
            var change: Change
            var told: Set<Party.Who>
            var firesOn: [String]

            var testDescription: String {
                "\(change.database.rawValue) \(change.type): \(change.kind) by \(change.author), subscribed to \(firesOn)"
            }

            init(
                _ type: String, _ kind: Change.Kind, by author: Change.Author, tells told: Set<Party.Who>,
                firesOn: [String] = ["create", "update", "delete"], in database: Database = .public
            ) {
                change = Change(kind: kind, type: type, author: author, database: database, zone: nil)
                self.told = told
                self.firesOn = firesOn
            }
        }

        /// Grace may not read Club, and Own is readable by its creator only.
        static let rows: [Row] = [
            Row("Open", .create, by: .device(.phone), tells: [.desk, .grace, .rosa]),
            Row("Open", .update, by: .device(.phone), tells: [.desk, .grace, .rosa]),
            Row("Open", .delete, by: .device(.phone), tells: [.desk, .grace, .rosa]),
            Row("Open", .create, by: .device(.grace), tells: [.phone, .desk, .rosa]),
            Row("Open", .update, by: .nameless(.desk), tells: [.phone, .desk, .grace, .rosa]),
            Row("Open", .delete, by: .server, tells: [.phone, .desk, .grace, .rosa]),
            Row("Open", .create, by: .disguised(.grace, as: .phone), tells: [.phone, .desk, .grace, .rosa]),
            Row("Open", .create, by: .server, tells: [], firesOn: ["update", "delete"]),
            Row("Open", .update, by: .server, tells: [], firesOn: ["create", "delete"]),
            Row("Open", .delete, by: .server, tells: [], firesOn: ["create", "update"]),
            Row("Open", .create, by: .server, tells: [.phone, .desk, .grace, .rosa], firesOn: ["create"]),
            Row("Open", .update, by: .server, tells: [.phone, .desk, .grace, .rosa], firesOn: ["update"]),
            Row("Open", .delete, by: .server, tells: [.phone, .desk, .grace, .rosa], firesOn: ["delete"]),
            Row("Club", .create, by: .device(.phone), tells: [.desk, .rosa]),
            Row("Club", .update, by: .device(.rosa), tells: [.phone, .desk]),
            Row("Club", .delete, by: .nameless(.rosa), tells: [.phone, .desk, .rosa]),
            Row("Own", .create, by: .device(.phone), tells: [.desk]),
            Row("Own", .update, by: .device(.desk), tells: [.phone]),
            Row("Own", .delete, by: .nameless(.phone), tells: [.phone, .desk]),
            Row("Own", .create, by: .device(.grace), tells: []),
            Row("Own", .delete, by: .nameless(.grace), tells: [.grace]),
            Row("Own", .create, by: .server, tells: []),
            Row("Open", .create, by: .device(.phone), tells: [.desk], in: .private),
            Row("Open", .update, by: .device(.desk), tells: [.phone], in: .private),
            Row("Open", .delete, by: .nameless(.desk), tells: [.phone, .desk], in: .private),
            Row("Own", .create, by: .device(.grace), tells: [], in: .private),
            Row("Club", .update, by: .nameless(.grace), tells: [.grace], in: .private),
            Row("Open", .update, by: .nameless(.rosa), tells: [], firesOn: ["create", "delete"], in: .private),
        ]

        // docs/protocol.md B5, B10; docs/decisions/0006: the author of the change, and users without read access, are not notified
        @Test(arguments: rows) func whoSubscribedAndMayReadIsToldOfTheChange(_ row: Row) throws {
            let party = try SharedParties.current.party("QueryScenarios")
            let change = row.change
            try change.prepare(party)
            for who in [Party.Who.desk, .grace, .rosa]
            where change.type != "Club" || who != .grace || change.database == .private {
                try party[who].client.subscribe(
                    query(change.type, "q", firesOn: row.firesOn), in: change.database)
            }
            let told = try party.told { try change.make(party) }
            #expect(Set(told.keys) == row.told)
            for (who, notifications) in told {
                let owner = change.database == .public ? "_defaultOwner" : try party[who].client.userName()
                let dictionary: JSON = [
                    "sid": "q", "rid": .string(Change.name), "fo": change.kind.reason, "zid": "_defaultZone",
                    "zoid": .string(owner), "dbs": change.database == .public ? 0 : 1,
                ]
                for notification in notifications {
                    #expect(try notification == party.payload("qry", dictionary, to: who, notification))
                }
                #expect(notifications.count == 1, "\(notifications)")
            }
            // All notifications of one change have the same ID.
            #expect(Set(told.values.joined().map { $0["ck"]["nid"].string }).count <= 1)
            try party.unsubscribeAll()
            try change.cleanUp(party)
        }

        // docs/protocol.md B11
        @Test func whoMayNotReadATypeCannotSubscribeToIt() throws {
            let party = try SharedParties.current.party("QueryScenarios")
            let answer = try party[.grace].client.submit(operation: "create", query("Club", "q"), in: .public)
            #expect(answer["serverErrorCode"] == "ACCESS_DENIED", "\(answer)")
        }
    }
}
