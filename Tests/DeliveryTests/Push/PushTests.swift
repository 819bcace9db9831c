import DeliveryTesting
import NephosTesting
import Testing

extension DeliveryTests {
    /// Pushes to phones, from a save to Apple's push service: docs/protocol.md, "Devices" and "Notifications".
    @Suite struct PushTests {
        // docs/protocol.md B5 to B7; Apple's requirements for a request
        @Test("A visible push carries badge, text and sound, and is the request that Apple requires (S1-10)")
        func aChangeArrivesAsTheRequestThatAppleAsksFor() async throws {
            let around = try await PushEnvironment()
            let (party, ada) = (around.party, try around.party[.phone].nameless)
            try around.phone(phoneToken("A"), of: .phone)
            let info: JSON = [
                "alertBody": "New note", "soundName": "default", "shouldBadge": true, "collapseIDKey": "notes",
                "additionalFields": ["title"],
            ]
            try ada.subscribe(query("Open", "s", with: ["notificationInfo": info]), in: .public)
            try party.server.create("Open", "it", ["title": ["value": "Milk"]], in: .public)
            let push = try #require(await around.apns.requests(atLeast: 1).first)
            #expect(push.httpVersion == "2.0" && push.method == "POST")
            #expect(push.path == "/3/device/\(phoneToken("a"))")
            let expected = [
                "apns-topic": PushEnvironment.topic, "apns-push-type": "alert", "apns-priority": "10",
                "apns-collapse-id": "notes",
            ]
            for (name, value) in expected { #expect(push.header(name) == value, "\(name)") }
            #expect(push.header("apns-id")?.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
            #expect(push.header("apns-expiration").flatMap { Int($0) } ?? 0 > 1_700_000_000)
            #expect(around.key.claims(of: push)?.teamID == around.key.teamID)
            let notification = try push.json
            let dictionary: JSON = [
                "sid": "s", "rid": "it", "fo": 1, "zid": "_defaultZone", "zoid": "_defaultOwner", "dbs": 0,
                "af": ["title": "Milk"],
            ]
            let aps: JSON = ["alert": ["body": "New note"], "badge": 1, "sound": "default"]
            #expect(try notification == party.payload("qry", dictionary, to: .phone, notification, aps: aps))
            try await around.end()
        }

        // docs/protocol.md B7; each of Apple's two services has its own configuration
        @Test("A silent push shows nothing, so it needs no permission; it is sent by its device's service (S1-9)")
        func aSilentPushIsABackgroundOneAndGoesOverTheServiceOfItsDevice() async throws {
            let around = try await PushEnvironment()
            let ada = try around.party[.phone].nameless
            try around.phone(phoneToken("1"), of: .phone, environment: "production")
            try around.phone(phoneToken("2"), of: .phone, environment: "development")
            let info: JSON = ["shouldSendContentAvailable": true]
            try ada.subscribe(query("Open", "s", with: ["notificationInfo": info]), in: .private)
            try ada.create("Open", "it", in: .private)
            let pushes = await around.apns.requests(atLeast: 2)
            let topics = Dictionary(pushes.map { ($0.phone, $0.header("apns-topic")) }, uniquingKeysWith: { $1 })
            #expect(
                topics == [
                    phoneToken("1"): PushEnvironment.topic, phoneToken("2"): "\(PushEnvironment.topic).sandbox",
                ])
            for push in pushes {
                #expect(push.header("apns-push-type") == "background" && push.header("apns-priority") == "5")
                #expect(try push.json["aps"] == ["content-available": 1])
                #expect(push.header("apns-collapse-id") == nil)
            }
            try await around.end()
        }

        // docs/decisions/0006: the device whose clientId made the change is not notified
        @Test func aPhoneIsNotPushedWhatItChangedItselfAndTellsOfItsNewOwnerOnly() async throws {
            let around = try await PushEnvironment()
            let party = around.party
            for who in [Party.Who.phone, .grace] {
                try party[who].nameless.subscribe(query("Own", "s"), in: .public)
            }
            try around.phone(phoneToken("1"), of: .phone, client: "phone")
            try around.phone(phoneToken("2"), of: .desk, client: "tablet")
            try party[.phone].client.create("Own", "a", in: .public)
            #expect(await around.apns.requests(atLeast: 1).map(\.phone) == [phoneToken("2")])
            // Grace signs in on the phone.
            try around.phone(phoneToken("1"), of: .grace, client: "phone")
            try party[.desk].nameless.create("Own", "b", in: .public)
            try party[.grace].nameless.create("Own", "c", in: .public)
            let pushes = await around.apns.requests(atLeast: 3)
            let told = try pushes.map { "\($0.phone.prefix(2)) \(try $0.json.change["rid"].string ?? "")" }
            #expect(told.sorted() == ["01 c", "02 a", "02 b"])
            try await around.end()
        }

        // Apple: 410 means that the device is gone
        @Test func aPhoneThatIsGoneIsNotPushedAgainUntilItRegisters() async throws {
            let around = try await PushEnvironment([.apns(410, "Unregistered")])
            let (party, ada) = (around.party, try around.party[.phone].nameless)
            try ada.subscribe(query("Open", "s"), in: .public)
            try around.phone(phoneToken("1"), of: .phone)
            try party.server.create("Open", "a", in: .public)
            let log = try around.log(until: "device gone")
            #expect(log.contains("410 Unregistered"))
            try around.phone(phoneToken("2"), of: .phone)
            for name in ["b", "c"] {
                let known = around.apns.requests.count
                try party.server.create("Open", name, in: .public)
                _ = await around.apns.requests(atLeast: known + 1)
            }
            #expect(around.apns.requests.map(\.phone) == [phoneToken("1"), phoneToken("2"), phoneToken("2")])
            try around.phone(phoneToken("1"), of: .phone)
            try party.server.create("Open", "d", in: .public)
            #expect(Set(await around.apns.requests(atLeast: 5).suffix(2).map(\.phone)).count == 2)
            try await around.end()
        }

        // docs/decisions/0006: a delivery is deleted after it was accepted
        @Test func aPushThatAppleCannotTakeNowIsSentAgainAsTheSameOne() async throws {
            let around = try await PushEnvironment([
                .apns(503, "ServiceUnavailable"), .apns(500, "InternalServerError"),
            ])
            let ada = try around.party[.phone].nameless
            try ada.subscribe(query("Open", "s"), in: .public)
            try around.phone(phoneToken("1"), of: .phone)
            try around.party.server.create("Open", "a", in: .public)
            for said in ["503 ServiceUnavailable", "500 InternalServerError"] {
                _ = try around.log(until: said)
                around.clock.advance(seconds: 10)
            }
            let pushes = await around.apns.requests(atLeast: 3)
            #expect(Set(pushes.map { $0.header("apns-id") }).count == 1)
            #expect(Set(pushes.map(\.bodyText)).count == 1)
            let log = try around.log(until: "delivered")
            #expect(log.contains("503 ServiceUnavailable") && log.contains("500 InternalServerError"))
            #expect(log.split(separator: "\n").count == 4, "\(log)")
            try await around.end()
        }

        // Apple: the topic may be the cause of BadDeviceToken, so it must not remove all devices
        @Test func aPushForABadTokenIsGivenUpAndTheDeviceKept() async throws {
            let around = try await PushEnvironment([.apns(400, "BadDeviceToken")])
            let ada = try around.party[.phone].nameless
            try ada.subscribe(query("Open", "s"), in: .public)
            try around.phone(phoneToken("1"), of: .phone)
            try around.party.server.create("Open", "a", in: .public)
            #expect(try around.log(until: "given up").contains("400 BadDeviceToken"))
            try around.party.server.create("Open", "b", in: .public)
            let pushes = await around.apns.requests(atLeast: 2)
            #expect(try pushes.map { try $0.json.change["rid"].string } == ["a", "b"])
            try await around.end()
        }

        // docs/decisions/0006: deliveries are stored, and another process sends them
        @Test func whatCouldNotBeSentBeforeTheServerWasKilledIsSentAfterwards() async throws {
            let around = try await PushEnvironment([.cut], place: .process)
            let ada = try around.party[.phone].nameless
            try ada.subscribe(query("Open", "s"), in: .public)
            try around.phone(phoneToken("1"), of: .phone)
            try around.party.server.create("Open", "a", in: .public)
            _ = try around.log(until: "failed")
            try around.cloud.process.kill()
            try around.cloud.process.start()
            #expect(try await around.apns.requests(atLeast: 2).last?.json.change["rid"] == "a")
            _ = try around.log(until: "delivered")
            try await around.end()
        }
    }
}
