import NephosTesting
import Testing

extension DeliveryTests {
    /// Zone and database subscriptions, and queries in zones: who is notified of changes in a zone, and with which content
    /// (docs/protocol.md B1, B5, B10, B11).
    @Suite(.serialized) struct ZoneScenarios {
        enum Event: Sendable {
            case record(Change.Kind, by: Change.Author, zone: String?)
            case createZone(String, by: Change.Author)
            case deleteZone(String, by: Change.Author)
        }

        struct Row: CustomTestStringConvertible, Sendable {
            var testDescription: String
            /// Without its ID, which is `s`.
            var subscription: JSON
            var event: Event
            var told: Set<Party.Who>

            init(_ subscription: JSON, _ event: Event, tells told: Set<Party.Who>) {
                self.subscription = subscription
                self.event = event
                self.told = told
                testDescription = "\(subscription): \(event)"
            }

            /// `qry`, `fet` or `met`.
            var kind: String {
                switch subscription["subscriptionType"].string {
                case "query": "qry"
                case "zone" where subscription["zoneWide"] != true: "fet"
                default: "met"
                }
            }

            var zone: String {
                switch event {
                case .record(_, _, let zone): zone ?? "_defaultZone"
                case .createZone(let zone, _), .deleteZone(let zone, _): zone
                }
            }
        }

        static let notes: JSON = ["subscriptionType": "zone", "zoneID": ["zoneName": "Notes"]]
        static let database: JSON = ["subscriptionType": "database"]
        /// In the form that Apple's service uses for its database subscriptions.
        static let zoneWide: JSON = ["subscriptionType": "zone", "zoneWide": true]
        static func records(_ more: JSON = [:]) -> JSON {
            var subscription = query("Open", "s", with: more)
            subscription["subscriptionID"] = .absent
            return subscription
        }
        static let recordsOfNotes = records(["zoneID": ["zoneName": "Notes"]])

        static let zoneRows: [Row] = [
            Row(notes, .record(.create, by: .device(.phone), zone: "Notes"), tells: [.desk]),
            Row(notes, .record(.update, by: .device(.desk), zone: "Notes"), tells: [.phone]),
            Row(notes, .record(.delete, by: .nameless(.desk), zone: "Notes"), tells: [.phone, .desk]),
            Row(notes, .record(.create, by: .nameless(.desk), zone: "Other"), tells: []),
            Row(notes, .record(.create, by: .nameless(.desk), zone: nil), tells: []),
            Row(notes, .record(.create, by: .nameless(.grace), zone: "Notes"), tells: [.grace]),
            Row(notes, .deleteZone("Notes", by: .device(.phone)), tells: [.desk]),
            Row(notes, .deleteZone("Other", by: .device(.phone)), tells: []),
            Row(notes, .createZone("New", by: .device(.phone)), tells: []),
        ]

        static let databaseRows: [Row] = [
            Row(database, .record(.create, by: .device(.phone), zone: "Notes"), tells: [.desk]),
            Row(database, .record(.update, by: .device(.desk), zone: "Other"), tells: [.phone]),
            Row(database, .record(.delete, by: .nameless(.desk), zone: "Notes"), tells: [.phone, .desk]),
            Row(database, .record(.create, by: .nameless(.desk), zone: nil), tells: []),
            Row(database, .record(.create, by: .device(.rosa), zone: "Notes"), tells: []),
            Row(database, .createZone("New", by: .device(.phone)), tells: [.desk]),
            Row(database, .createZone("New", by: .nameless(.grace)), tells: [.grace]),
            Row(database, .deleteZone("Other", by: .device(.phone)), tells: [.desk]),
            Row(zoneWide, .record(.create, by: .device(.phone), zone: "Other"), tells: [.desk]),
            Row(zoneWide, .deleteZone("Notes", by: .nameless(.phone)), tells: [.phone, .desk]),
        ]

        static let queryRows: [Row] = [
            Row(records(), .record(.create, by: .device(.phone), zone: "Notes"), tells: [.desk]),
            Row(records(), .record(.delete, by: .device(.desk), zone: "Other"), tells: [.phone]),
            Row(records(), .createZone("New", by: .nameless(.phone)), tells: []),
            Row(recordsOfNotes, .record(.update, by: .nameless(.phone), zone: "Notes"), tells: [.phone, .desk]),
            Row(recordsOfNotes, .record(.update, by: .nameless(.phone), zone: "Other"), tells: []),
            Row(recordsOfNotes, .record(.create, by: .nameless(.phone), zone: nil), tells: []),
            Row(
                records(["zoneWide": false]), .record(.create, by: .nameless(.phone), zone: nil),
                tells: [.phone, .desk]),
            Row(records(["zoneWide": false]), .record(.create, by: .nameless(.phone), zone: "Notes"), tells: []),
        ]

        // docs/protocol.md B1, B5
        @Test(arguments: zoneRows) func aZoneSubscriptionTellsOfItsZoneAlone(_ row: Row) throws { try prove(row) }

        // docs/protocol.md B1, B5
        @Test(arguments: databaseRows) func aDatabaseSubscriptionTellsOfAllZonesButTheDefaultOne(_ row: Row) throws {
            try prove(row)
        }

        // docs/protocol.md B11
        @Test(arguments: queryRows) func aQuerySubscriptionMayBeAboutOneZone(_ row: Row) throws { try prove(row) }

        private func prove(_ row: Row) throws {
            let party = try SharedParties.current.party("ZoneScenarios")
            var subscription = row.subscription
            subscription["subscriptionID"] = "s"
            let before = before(row.event)
            try before?.prepare(party)
            for who in [Party.Who.desk, .grace, .rosa] {
                try party[who].client.subscribe(subscription, in: .private)
            }
            let told = try party.told { try make(row.event, party) }
            #expect(Set(told.keys) == row.told)
            for (who, notifications) in told {
                #expect(notifications.count == 1, "\(notifications)")
                var dictionary: JSON = ["sid": "s", "dbs": 1]
                if row.kind != "met" {
                    dictionary["zid"] = .string(row.zone)
                    dictionary["zoid"] = .string(try party[who].client.userName())
                }
                if row.kind == "qry" {
                    dictionary["rid"] = .string(Change.name)
                    dictionary["fo"] = before?.kind.reason ?? .absent
                }
                for notification in notifications {
                    #expect(try notification == party.payload(row.kind, dictionary, to: who, notification))
                }
            }
            try party.unsubscribeAll()
            try cleanUp(row.event, party)
        }

        private func before(_ event: Event) -> Change? {
            guard case .record(let kind, let author, let zone) = event else { return nil }
            return Change(kind: kind, type: "Open", author: author, database: .private, zone: zone)
        }

        private func make(_ event: Event, _ party: Party) throws {
            switch event {
            case .record: try before(event)?.make(party)
            case .createZone(let zone, let author): try author.client(party).modifyZones("create", [zone])
            case .deleteZone(let zone, let author): try author.client(party).modifyZones("delete", [zone])
            }
        }

        private func cleanUp(_ event: Event, _ party: Party) throws {
            switch event {
            case .record: try before(event)?.cleanUp(party)
            case .createZone(let zone, let author): try author.client(party).modifyZones("delete", [zone])
            case .deleteZone(let zone, let author): try author.client(party).modifyZones("create", [zone])
            }
        }
    }
}
