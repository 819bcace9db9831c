import DeliveryTesting
import NephosTesting
import Testing

extension DeliveryTests {
    /// `nephos webhook list`, `replay` and `delete`.
    @Suite struct WebhookCommandTests {
        private let party: Party
        private let receiver: WebhookStandIn

        init() async throws {
            party = try freshParty()
            receiver = try await WebhookStandIn.start()
        }

        // The secret is shown once, when it is created
        @Test func theListShowsWebhooksAndNoSecrets() async throws {
            let empty = try Hook.run("list", party.container)
            #expect(empty.status == 0 && empty.output == "" && empty.errors.contains("no webhook"), "\(empty)")
            let first = try Hook("\(receiver.url)/1", party.container, "--record-type", "Open")
            let second = try Hook("\(receiver.url)/2", party.container, "--record-type", "Fence")
            let list = try Hook.run("list", party.container).output
            let lines = list.split(separator: "\n").dropFirst()
            #expect(lines.count == 2, "\(list)")
            for (line, hook) in zip(lines, [first, second]) {
                #expect(line.contains(hook.id) && line.contains(hook.user))
                let digits = hook.secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                #expect(!list.contains(digits) && !party.container.cloud.server.logText.contains(digits))
            }
            #expect(list.contains("\(receiver.url)/1") && list.contains("\(receiver.url)/2"))
            await receiver.stop()
        }

        // Past calls are stored, and repeated with the same ID and payload
        @Test func aReplayCallsAgainWithTheSameIDsAndPayloads() async throws {
            let hook = try Hook(receiver.url, party.container, "--record-type", "Open")
            for name in ["a", "b", "c"] { try party.server.create("Open", name, in: .public) }
            let first = await receiver.requests(atLeast: 3)
            func pairs(_ calls: some Sequence<RecordedRequest>) -> Set<String> {
                Set(calls.map { "\($0.header("nephos-delivery") ?? "") \($0.bodyText)" })
            }
            // Pending calls are not replayed, so the replay is repeated until it includes all of them.
            let replayed = try await Deadline().awaits {
                let known = receiver.requests.count
                let result = try Hook.run("replay", party.container, String(hook.id.prefix(8)))
                try #require(result.status == 0, "\(result)")
                let count = try #require(Int(result.output.split(separator: "\n").first ?? ""))
                _ = await receiver.requests(atLeast: known + count)
                return count == 3
            }
            #expect(replayed)
            let again = receiver.requests.suffix(3)
            #expect(pairs(first) == pairs(again) && pairs(again).count == 3)
            for call in again { try hook.expect(call) }
            await receiver.stop()
        }

        @Test func aWebhookThatWasDeletedIsNotCalledAndLeavesNothing() async throws {
            let hook = try Hook("\(receiver.url)/gone", party.container, "--record-type", "Open")
            _ = try Hook("\(receiver.url)/fence", party.container, "--record-type", "Open")
            let deleted = try Hook.run("delete", party.container, hook.id, "--yes")
            #expect(deleted.status == 0, "\(deleted)")
            for name in ["a", "b"] {
                let known = receiver.requests.count
                try party.server.create("Open", name, in: .public)
                _ = await receiver.requests(atLeast: known + 1)
            }
            #expect(receiver.requests.map(\.path) == ["/fence", "/fence"])
            #expect(try !Hook.run("list", party.container).output.contains(hook.id))
            for refused in [
                try Hook.run("delete", party.container, hook.id, "--yes"),
                try Hook.run("replay", party.container, hook.id),
            ] {
                #expect(refused.status == 1 && refused.errors.contains("no webhook"), "\(refused)")
            }
            await receiver.stop()
        }
    }
}
