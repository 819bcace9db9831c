import NephosTesting
import Testing

extension DeliveryTests {
    /// Which changes subscriptions take into account: docs/protocol.md B11 to B13, docs/decisions/0006.
    @Suite(.serialized) struct RuleTests {
        private let party: Party
        private let ada: CloudKitClient

        init() throws {
            party = try SharedParties.current.party("RuleTests")
            ada = try party[.desk].nameless
        }

        /// IDs of subscriptions and names of records in the notifications of Ada's desk, in order.
        private func told(_ change: () throws -> Void) throws -> [String] {
            let told = try party.told(of: change)
            #expect(told[.phone]?.map(Self.summary) == told[.desk]?.map(Self.summary), "devices of one person")
            return told[.desk, default: []].map(Self.summary)
        }

        private static func summary(_ notification: JSON) -> String {
            let change = notification.change
            return [
                change["sid"].string ?? "?", change["rid"].string ?? "-", change["fo"].int64.map { "\($0)" } ?? "-",
            ]
            .joined(separator: " ")
        }

        private func save(_ name: String, _ number: Int64, type: String = "Open") throws {
            try ada.change("forceUpdate", type, name, ["n": ["value": .int(number)]], in: .public)
        }

        private func delete(_ names: String...) throws {
            for name in names { try ada.change("forceDelete", "Open", name, in: .public) }
        }

        // docs/decisions/0006: an update fires if the record matches afterwards, a deletion if it matched before
        @Test func aFilterIsAskedOfTheRecordAfterAnUpdateAndBeforeADeletion() throws {
            try ada.subscribe(query("Open", "s", with: whereN("Open", is: 1)), in: .public)
            #expect(try told { try save("a", 1) } == ["s a 1"])
            #expect(try told { try save("a", 2) } == [])
            #expect(try told { try save("a", 1) } == ["s a 2"])
            #expect(try told { try save("a", 1) } == ["s a 2"])
            #expect(try told { try delete("a") } == ["s a 3"])
            #expect(try told { try save("b", 2) } == [])
            #expect(try told { try delete("b") } == [])
            try party.unsubscribeAll()
        }

        // docs/protocol.md B12; docs/decisions/0006
        @Test func whatFiresOnceIsGoneAfterwards() throws {
            try ada.subscribe(query("Open", "once", with: ["firesOnce": true]), in: .public)
            #expect(try ada.subscriptionIDs(in: .public) == ["fence", "once"])
            #expect(try told { try save("a", 1) } == ["once a 1"])
            #expect(try ada.subscriptionIDs(in: .public) == ["fence"])
            #expect(try told { try save("b", 1) } == [])
            let gone = try ada.submit(operation: "delete", ["subscriptionID": "once"], in: .public)
            #expect(gone["serverErrorCode"] == "NOT_FOUND", "\(gone)")
            try delete("a", "b")
        }

        // docs/decisions/0006: a subscription fires only for events after its own sequence number
        @Test func whoSubscribesAfterAChangeIsNotToldOfIt() throws {
            let names = try told {
                try save("a", 1)
                try ada.subscribe(query("Open", "s"), in: .public)
                try save("b", 1)
            }
            #expect(names == ["s b 1"])
            try party.unsubscribeAll()
            try delete("a", "b")
        }

        // docs/protocol.md B12
        @Test("Saving a subscription again loses no change for anybody (S1-12)")
        func savingTheSameAgainMakesNobodyMissAChange() throws {
            for round in 0..<5 {
                try ada.subscribe(query("Open", "s"), in: .public)
                let names = try told {
                    try save("a\(round)", 1)
                    try ada.subscribe(query("Open", "s"), in: .public)
                }
                #expect(names == ["s a\(round) 1"])
            }
            try party.unsubscribeAll()
            try delete("a0", "a1", "a2", "a3", "a4")
        }

        // docs/protocol.md B12; docs/decisions/0006: saving another one with its name replaces it and advances the sequence number
        @Test func whatIsSavedAnewFiresForLaterChangesOnly() throws {
            try ada.subscribe(query("Open", "s", with: whereN("Open", is: 2)), in: .public)
            let names = try told {
                try save("a", 1)
                try ada.subscribe(query("Open", "s", with: whereN("Open", is: 1)), in: .public)
                try save("b", 1)
                try save("c", 2)
            }
            #expect(names == ["s b 1"])
            try party.unsubscribeAll()
            try delete("a", "b", "c")
        }

        // docs/protocol.md B13
        @Test func aSubscriptionThatWasDeletedTellsNobody() throws {
            try ada.subscribe(query("Open", "s"), in: .public)
            try ada.unsubscribe("s", in: .public)
            #expect(try told { try save("a", 1) } == [])
            try delete("a")
        }

        // docs/decisions/0006: a pending delivery for a device and subscription is coalesced with later changes
        @Test("Waiting notifications are merged into the last one, and the push log shows how many (S1-11)")
        func changesThatNobodyAskedForYetAreMergedIntoTheLast() throws {
            for who in [Party.Who.desk, .grace] {
                try party[who].client.subscribe(query("Open", "s"), in: .public)
                try party[who].client.subscribe(query("Open", "t", firesOn: ["create"]), in: .public)
            }
            let rosa = try party[.rosa].nameless
            try rosa.subscribe(query("Own", "mark", firesOn: ["create"]), in: .public)
            let told = try party.told {
                for name in ["a", "b", "c"] { try save(name, 1) }
                try save("a", 2)
                // Notifications are ordered: by now all of them are pending for the next polls.
                try rosa.create("Own", "mark", in: .public)
                #expect(try party[.rosa].next().subscription == "mark")
            }
            #expect(Set(told.keys) == [.phone, .desk, .grace])
            for notifications in told.values {
                #expect(notifications.map(Self.summary).sorted() == ["s a 2", "t c 1"])
            }
            // Each of the three devices received one notification of four changes, and one of the three created records.
            let log = try party.container.cloud.server.command(
                "push", "log", party.container.id, "--environment", "development")
            for (subscription, changes) in [("s", 4), ("t", 3)] {
                let lines = log.matches(of: try Regex(" \(subscription) +delivered +\(changes) "))
                #expect(lines.count == 3, "\(log)")
            }
            try party.unsubscribeAll()
            try delete("a", "b", "c")
            try rosa.change("forceDelete", "Own", "mark", in: .public)
        }

        // docs/decisions/0006: events are matched in order
        @Test(arguments: [false, true]) func whatFiredFirstIsToldFirst(inOneRequest: Bool) throws {
            let ids = ["z", "m", "a", "k"]
            for (number, id) in ids.enumerated() {
                try ada.subscribe(query("Open", id, with: whereN("Open", is: Int64(number))), in: .public)
            }
            let names = try told {
                if inOneRequest {
                    let operations = (0..<4).map { number -> JSON in
                        [
                            "operationType": "create",
                            "record": [
                                "recordName": "r\(number)", "recordType": "Open",
                                "fields": ["n": ["value": .int(Int64(number))]],
                            ],
                        ]
                    }
                    let answer = try ada.post("records/modify", .public, ["operations": .array(operations)])
                    #expect(answer.status == 200)
                } else {
                    for number in 0..<4 { try save("r\(number)", Int64(number)) }
                }
            }
            #expect(names == ["z r0 1", "m r1 1", "a r2 1", "k r3 1"])
            try party.unsubscribeAll()
            try delete("r0", "r1", "r2", "r3")
        }

        // docs/decisions/0006: users without read access to the record are not notified
        @Test func aRoleThatWasTakenAwayTellsNothingAnyMore() throws {
            let rosa = try party[.rosa].client
            try rosa.subscribe(query("Club", "s"), in: .public)
            func told() throws -> Set<Party.Who> {
                Set(try party.told { try ada.change("forceUpdate", "Club", "a", in: .public) }.keys)
            }
            #expect(try told() == [.rosa])
            try party.setRole(held: false, of: [.rosa])
            #expect(try told() == [])
            try party.setRole(held: true, of: [.rosa])
            #expect(try told() == [.rosa])
            try party.unsubscribeAll()
            try ada.change("forceDelete", "Club", "a", in: .public)
        }
    }
}
