import DeliveryTesting
import NephosPost
import NephosTesting
import Testing

extension DeliveryTests {
    /// Servers that are called when public records change: `nephos webhook`.
    @Suite struct WebhookTests {
        private let party: Party

        init() throws { party = try freshParty() }

        // docs/decisions/0006: programs are notified of every change
        @Test func everyChangeIsToldAloneAndSigned() async throws {
            let receiver = try await WebhookStandIn.start()
            let hook = try Hook(
                "\(receiver.url)/hook?a=1", party.container, "--record-type", "Open", "--field", "title")
            let ada = try party[.phone].client
            try ada.create("Open", "it", ["title": ["value": "one"]], in: .public)
            for title in ["two", "three"] {
                try ada.change("forceUpdate", "Open", "it", ["title": ["value": .string(title)]], in: .public)
            }
            try ada.change("forceDelete", "Open", "it", in: .public)
            let calls = await receiver.requests(atLeast: 4)
            #expect(calls.allSatisfy { $0.path == "/hook?a=1" })
            let told = try calls.map { try hook.expect($0) }
            let said = told.map { notification -> String in
                let change = notification.change
                return "\(change["fo"]) \(change["rid"]) \(change["af"]["title"])"
            }
            #expect(said.sorted() == [#"1 "it" "one""#, #"2 "it" "three""#, #"2 "it" "two""#, #"3 "it" "three""#])
            for notification in told {
                #expect(notification["aps"] == [:] && notification["ck"]["ckuserid"] == .string(hook.user))
            }
            #expect(Set(calls.map { $0.header("nephos-delivery") }).count == 4)
            // The signature is not valid with another secret.
            let signature = calls[0].header(WebhookSignature.headerName) ?? ""
            #expect(
                !WebhookSignature.isValid(
                    signature, body: calls[0].body, secret: Array(hook.secret.reversed()), now: SystemClock.now()))
            await receiver.stop()
        }

        // `--on` and `--filter` select changes
        @Test func aWebhookIsCalledForTheChangesThatItAskedFor() async throws {
            let receiver = try await WebhookStandIn.start()
            let hook = try Hook(
                receiver.url, party.container, "--record-type", "Open", "--on", "update", "--filter", "n == 1")
            let server = party.server
            try server.create("Open", "it", ["n": ["value": 1]], in: .public)
            try server.change("forceUpdate", "Open", "it", ["n": ["value": 2]], in: .public)
            try server.change("forceUpdate", "Open", "it", ["n": ["value": 1]], in: .public)
            try server.change("forceDelete", "Open", "it", in: .public)
            try server.create("Open", "last", ["n": ["value": 2]], in: .public)
            try server.change("forceUpdate", "Open", "last", ["n": ["value": 1]], in: .public)
            let calls = await receiver.requests(atLeast: 2)
            #expect(try Set(calls.map { try hook.expect($0).change["rid"].string }) == ["it", "last"])
            #expect(calls.count == 2)
            await receiver.stop()
        }

        // docs/decisions/0006: receivers without read access to the record are not notified
        @Test func aWebhookIsToldWhatItsKeyMayRead() async throws {
            let receiver = try await WebhookStandIn.start()
            _ = try Hook(receiver.url, party.container, "--record-type", "Own")
            _ = try Hook("\(receiver.url)/fence", party.container, "--record-type", "Fence")
            try party[.phone].client.create("Own", "it", in: .public)
            for name in ["f1", "f2"] {
                let known = receiver.requests.count
                try party.server.create("Fence", name, in: .public)
                _ = await receiver.requests(atLeast: known + 1)
            }
            #expect(receiver.requests.map(\.path) == ["/fence", "/fence"])
            let refused = try Hook.run(
                "create", party.container, "--url", receiver.url, "--record-type", "Club")
            #expect(refused.status == 1, "\(refused)")
            await receiver.stop()
        }

        // docs/decisions/0006: a receiver that hangs does not delay others. Its call may take longer than this test waits for others.
        @Test func aReceiverThatHangsDoesNotHoldOthersUp() async throws {
            let slow = try await WebhookStandIn.start(otherwise: { _ in .hang })
            let quick = try await WebhookStandIn.start()
            for url in [slow.url, quick.url] { _ = try Hook(url, party.container, "--record-type", "Open") }
            for number in 1...5 {
                try party.server.create("Open", "r\(number)", in: .public)
                _ = await slow.requests(atLeast: 1)
                let calls = await quick.requests(atLeast: number)
                #expect(try calls.last?.json.change["rid"] == .string("r\(number)"))
            }
            await slow.stop()
            await quick.stop()
        }

        // docs/protocol.md, "Webhooks": further attempts have the same ID
        @Test func aCallThatFailsIsMadeAgainAsTheSameOne() async throws {
            let receiver = try await WebhookStandIn.start([.status(500), .cut, .status(404)])
            let around = try await PushEnvironment(configured: false)
            let hook = try Hook(receiver.url, around.party.container, "--record-type", "Open")
            try around.party.server.create("Open", "it", in: .public)
            for attempts in 1...2 {
                _ = try around.log { $0.split(separator: "\n").count { $0.contains("failed") } == attempts }
                around.clock.advance(seconds: 10)
            }
            let calls = await receiver.requests(atLeast: 3)
            for call in calls { try hook.expect(call) }
            #expect(Set(calls.map { $0.header("nephos-delivery") }).count == 1)
            #expect(Set(calls.map(\.bodyText)).count == 1)
            await receiver.stop()
            try await around.end()
        }

        // A webhook whose receiver responds with 410 is removed
        @Test func aReceiverThatIsGoneIsForgotten() async throws {
            let receiver = try await WebhookStandIn.start([.status(410)])
            let hook = try Hook(receiver.url, party.container, "--record-type", "Open")
            try party.server.create("Open", "it", in: .public)
            _ = await receiver.requests(atLeast: 1)
            let isGone = try await Deadline().awaits {
                try !Hook.run("list", party.container).output.contains(hook.id)
            }
            #expect(isGone)
            await receiver.stop()
        }
    }
}
