import NephosTesting
import Testing

extension DeliveryTests {
    /// Notifications as server-sent events: docs/protocol.md, "Devices".
    @Suite struct StreamTests {
        private let party: Party
        private let desk: Device

        init() throws {
            party = try freshParty()
            desk = try party[.desk]
            try desk.client.subscribe(query("Open", "s"), in: .public)
            try desk.client.subscribe(["subscriptionID": "d", "subscriptionType": "database"], in: .private)
        }

        private func save(_ name: String) throws { try party.server.create("Open", name, in: .public) }

        private func record(_ event: StreamEvent?) throws -> String? {
            guard let event, event.name == "notification" else { return nil }
            return try JSON(parsing: event.data).change["rid"].string
        }

        // The first event contains the databases' positions, and the delay before reconnecting
        @Test func aStreamGreetsAndTellsWhatAPollWouldBeAnswered() throws {
            let stream = try EventStream(desk)
            #expect(stream.head.status == 200)
            #expect(stream.head["Content-Type"]?.hasPrefix("text/event-stream") == true)
            #expect(stream.head["Access-Control-Allow-Origin"]?.isEmpty == false)
            #expect(stream.head["Cache-Control"]?.contains("no-") == true, "\(stream.head.headers)")
            let ready = try #require(try stream.next())
            #expect(ready.name == "ready" && ready.data == "{}" && ready.id?.isEmpty == false)
            #expect((500...3_000).contains(Int(ready.retry ?? "") ?? 0))
            var ids: Set<String?> = [ready.id]
            for name in ["a", "b"] {
                try save(name)
                let event = try #require(try stream.next())
                let notification = try JSON(parsing: event.data)
                let dictionary: JSON = [
                    "sid": "s", "rid": .string(name), "fo": 1, "zid": "_defaultZone", "zoid": "_defaultOwner", "dbs": 0,
                ]
                #expect(event.name == "notification")
                #expect(try notification == party.payload("qry", dictionary, to: .desk, notification))
                ids.insert(event.id)
            }
            #expect(ids.count == 1 && !ids.contains(nil), "where the databases stood when it began")
        }

        // A client that reconnects sends the ID of its last event, and is informed whether anything happened since
        @Test(arguments: [false, true]) func whoComesBackLearnsWhetherAnythingHappened(inURL: Bool) throws {
            var stream: EventStream? = try EventStream(desk)
            var last = try #require(try stream?.next()?.id)
            stream = nil
            stream = try EventStream(desk, lastEventID: last, inURL: inURL)
            #expect(try stream?.next()?.name == "ready", "nothing happened")
            stream = nil
            try save("a")
            stream = try EventStream(desk, lastEventID: last, inURL: inURL)
            let changes = try #require(try stream?.next())
            #expect(changes.name == "changes" && changes.data == "{}")
            let event = try #require(try stream?.next())
            #expect(try record(event) == "a")
            last = try #require(event.id)
            stream = nil
            stream = try EventStream(desk, lastEventID: last, inURL: inURL)
            #expect(try stream?.next()?.name == "ready", "everything is known")
            stream = nil
            try party[.phone].client.create("Open", "own", zone: "Notes", in: .private)
            stream = try EventStream(desk, lastEventID: last, inURL: inURL)
            #expect(try stream?.next()?.name == "changes", "in the private database")
            #expect(try stream?.next()?.name == "notification")
        }

        // An ID that is not valid for this device is ignored
        @Test func anIDThatWasMadeUpOrIsOfAnotherDeviceIsIgnored() throws {
            let foreign = try #require(try EventStream(party[.grace]).next()?.id)
            let own = try #require(try EventStream(desk).next()?.id)
            try save("a")
            #expect(try desk.next().change["rid"] == "a")
            let flipped = String(own.dropLast(2)) + (own.hasSuffix("AA") ? "BB" : "AA")
            for id in [
                "", "x", foreign, flipped, String(own.dropLast()), desk.token, String(repeating: "a", count: 4_000),
            ] {
                for inURL in [false, true] {
                    #expect(try EventStream(desk, lastEventID: id, inURL: inURL).next()?.name == "ready", "\(id)")
                }
            }
            #expect(try EventStream(desk, lastEventID: own).next()?.name == "changes")
        }

        // docs/decisions/0006: unsent notifications are delivered to the next client
        @Test func whatChangesWhileNobodyIsConnectedIsToldToTheNextStream() throws {
            for round in 0..<5 {
                do {
                    let stream = try EventStream(desk)
                    #expect(try stream.next()?.name == "ready")
                    try save("seen\(round)")
                    #expect(try record(stream.next()) == "seen\(round)")
                }
                try save("missed\(round)")
                let stream = try EventStream(desk)
                #expect(try stream.next()?.name == "ready")
                #expect(try record(stream.next()) == "missed\(round)")
            }
        }

        // docs/protocol.md, "Limits": when the server stops, streams end properly
        @Test func aStreamEndsWithItsServerAndNothingIsLost() throws {
            let cloud = try TestCloud()
            let party = try Party(cloud)
            let desk = try party[.desk]
            try desk.client.subscribe(query("Open", "s"), in: .public)
            for isKilled in [false, true, false] {
                let stream = try EventStream(desk)
                let id = try #require(try stream.next()?.id)
                if isKilled { try cloud.process.kill() } else { #expect(try cloud.server.stop() == .exited(0)) }
                if !isKilled { #expect(try stream.rest() == []) }
                try cloud.process.start()
                try party.server.create("Open", nil, in: .public)
                let next = try EventStream(desk, lastEventID: id)
                #expect(try next.next()?.name == "changes")
                #expect(try record(next.next()) != nil)
            }
        }
    }
}
