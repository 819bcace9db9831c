import NephosTesting
import Synchronization
import Testing

extension DeliveryTests {
    /// Polling devices: several at once, across restarts of the server, and removed ones (docs/decisions/0006).
    @Suite struct DeviceTests {
        // Two pollers of one device get each notification once
        @Test func twoPollersOfOneTokenShareWhatThereIs() throws {
            let party = try freshParty()
            let desk = try party[.desk]
            for number: Int64 in 1...2 {
                try desk.client.subscribe(query("Open", "s\(number)", with: whereN("Open", is: number)), in: .public)
            }
            let port = party.container.cloud.server.port
            let pollers = try (0..<2).map { _ in try HTTPConnection(port: port) }
            for poller in pollers { try poller.send(HTTPRequest("GET", desk.place)) }
            for number: Int64 in 1...2 {
                try party.server.create("Open", "r\(number)", ["n": ["value": .int(number)]], in: .public)
            }
            let names = try pollers.map { try $0.response().json.change["rid"].string }
            #expect(Set(names) == ["r1", "r2"])
            #expect(try party.told()[.desk] == nil)
        }

        // docs/decisions/0006: a poller that disconnects before its response loses no notification
        @Test func aNotificationIsNotLostWithAConnectionThatWasClosed() throws {
            let party = try freshParty()
            let desk = try party[.desk]
            try desk.client.subscribe(query("Open", "s"), in: .public)
            for round in 0..<10 {
                do {
                    let gone = try HTTPConnection(port: party.container.cloud.server.port)
                    try gone.send(HTTPRequest("GET", desk.place))
                }
                try party.server.create("Open", "r\(round)", in: .public)
                #expect(try desk.next()["ck"]["qry"]["rid"] == .string("r\(round)"))
            }
        }

        // docs/protocol.md D19; registrations of a session end with it, wherever they wait; others continue
        @Test func pagesOfARevokedSessionEndAndThoseOfOthersAreToldOn() throws {
            let party = try freshParty()
            let (desk, phone) = (try party[.desk], try party[.phone])
            for device in [desk, phone] { try device.client.subscribe(query("Open", device.name), in: .public) }
            let connection = try HTTPConnection(port: party.container.cloud.server.port)
            try connection.send(HTTPRequest("GET", desk.place))
            let stream = try EventStream(phone)
            #expect(try stream.next()?.name == "ready")
            // Ada's sessions, newest first: that of the desk was created last.
            let list = try party.container.cloud.server.command(
                "session", "list", party.container.id, Party.email(.desk))
            let id = try #require(list.split(separator: "\n").dropFirst().first?.split(separator: " ").first)
            try party.container.cloud.server.command("session", "revoke", party.container.id, String(id))
            #expect(try connection.response().status == 401)
            #expect(try desk.ask().status == 401)
            try party.server.create("Open", "a", in: .public)
            #expect(try stream.next()?.name == "notification")
            #expect(try phone.nameless.get("users/caller", .public).status == 200)
        }

        // docs/decisions/0006: a server may die at any step; nothing may be lost
        @Test func whatChangedBeforeTheServerWasKilledIsToldAfterwards() throws {
            let cloud = try TestCloud()
            let party = try Party(cloud)
            for who in [Party.Who.desk, .grace] {
                try party[who].client.subscribe(query("Open", "s"), in: .public)
                try party[who].client.subscribe(["subscriptionID": "d", "subscriptionType": "database"], in: .private)
            }
            for round in 0..<5 {
                try party.server.create("Open", "r\(round)", in: .public)
                try party[.phone].client.create("Open", "r\(round)", zone: "Notes", in: .private)
                try cloud.process.kill()
                try cloud.process.start()
                let told = try party.told()
                #expect(Set(told.keys) == [.phone, .desk, .grace])
                #expect(told[.phone]?.map(\.subscription) == ["s"] && told[.grace]?.map(\.subscription) == ["s"])
                #expect(Set((told[.desk] ?? []).map(\.subscription)) == ["s", "d"])
                for notification in told.values.joined() where notification.subscription == "s" {
                    #expect(notification.change["rid"] == .string("r\(round)"))
                }
            }
            #expect(try cloud.server.stop() == .exited(0))
            #expect(try cloud.server.command.run(["check"]).status == 0)
        }

        // docs/decisions/0006: waiting polls end properly when the server stops
        @Test func whoWaitsWhileTheServerStopsIsAnsweredAndToldLater() throws {
            let cloud = try TestCloud()
            let party = try Party(cloud)
            let desk = try party[.desk]
            try desk.client.subscribe(query("Open", "s"), in: .public)
            let poller = try HTTPConnection(port: cloud.server.port)
            try poller.send(HTTPRequest("GET", desk.place))
            // A later request to the same server, whose response proves that the poll has arrived.
            #expect(try cloud.process.answers)
            #expect(try cloud.server.stop() == .exited(0))
            let answer = try poller.response()
            #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self) == "null")
            try cloud.process.start()
            try party.server.create("Open", "r", in: .public)
            #expect(try desk.next().change["rid"] == "r")
        }

        // A device that was evicted by 50 others is told that it is no longer registered
        @Test func aDeviceThatMadeRoomForOthersIsRefusedAndOthersAreTold() throws {
            let party = try freshParty()
            let grace = try party[.grace]
            try grace.client.subscribe(query("Open", "s"), in: .public)
            var latest = grace
            for number in 0..<50 { latest = try Device("d\(number)", party.container, grace.credentials) }
            let refused = try grace.ask()
            let body = try refused.json
            #expect(refused.status == 401 && body["serverErrorCode"] == "AUTHENTICATION_FAILED", "\(body)")
            #expect(body["reason"].string?.contains("request another with tokens/create") == true, "\(body)")
            let again = try grace.client.send(
                "POST", "/device/1/\(party.container.id)/development/tokens/register",
                body: (["apnsEnvironment": "development", "apnsToken": .string(grace.token)] as JSON).bytes)
            let answer = try again.json
            #expect(again.status == 400, "\(answer)")
            #expect(answer["reason"].string?.contains("tokens/create") == true, "\(answer)")
            try party.server.create("Open", "r", in: .public)
            #expect(try latest.next().change["rid"] == "r")
        }

        // docs/protocol.md, "Devices": a token that is registered again is kept, and may get another clientId
        @Test func aDeviceThatRegistersAgainIsTheSameOneUnderItsNewName() throws {
            let party = try freshParty()
            let desk = try party[.desk]
            try desk.client.subscribe(query("Open", "s"), in: .public)
            let answer = try register(
                desk.nameless, "tokens/register",
                ["apnsEnvironment": "development", "apnsToken": .string(desk.token), "clientId": "renamed"])
            #expect(answer["apnsToken"] == .string(desk.token))
            #expect(answer["webcourierURL"].string?.hasSuffix(desk.place) == true)
            let renamed = desk.nameless
            renamed.query = ["clientId=renamed"]
            #expect(Set(try party.told { try renamed.create("Open", "a", in: .public) }.keys) == [.phone])
            #expect(Set(try party.told { try desk.client.create("Open", "b", in: .public) }.keys) == [.phone, .desk])
        }
    }
}
