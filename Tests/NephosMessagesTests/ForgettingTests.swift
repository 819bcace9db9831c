import CloudKitWire
import NephosNetwork
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "Seen messages": what is deleted, and limits for fake reports.
@Suite("Retention of who has seen a message") struct ForgettingTests {
    private static let month: Milliseconds = 30 * 86_400_000

    /// The salts that are not deleted.
    private func salts(_ own: MessageCloud) throws -> [MessageSaltRow] {
        try own.store.rows(MessageSaltRow.page(after: nil, limit: 100)).filter { !$0.salt.isEmpty }
    }

    /// The number of a message's rows in which somebody with access to all stored data can identify a device.
    private func found(_ device: String, of message: Name, in own: MessageCloud) throws -> Int {
        let rows = try own.rows(of: message)
        let salts = try salts(own).filter { $0.message == message }
        let signingKey = try own.store.read(ReadSet()).catalog.head.signingKey
        return rows.count { row in
            salts.contains { DeviceCode($0.salt, signingKey: signingKey).key(of: device) == row.seer }
        }
    }

    @Test("30 days after the end no device can be identified in a row; people still can, and counts stay (S2-18)")
    func salts() async throws {
        let own = try await MessageCloud()
        let end = own.now + 1_000
        #expect(try own.save("a", MessageCloud.complete(), at: own.now, until: end) == "")
        #expect(try own.see(#"{"id":"a","device":"phone"}"#).status == 200)
        #expect(try own.see(#"{"id":"a"}"#, as: .person).status == 200)
        own.now = end + Self.month - 1
        await own.cloud.runDueJobs()
        #expect(try found("phone", of: "a", in: own) == 1)
        // A late report is still accepted.
        #expect(try own.see(#"{"id":"a","device":"phone","event":"acted"}"#).status == 200)

        own.now += 1
        await own.cloud.runDueJobs()
        #expect(try salts(own).isEmpty && found("phone", of: "a", in: own) == 0)
        #expect(try own.rows(of: "a").count == 2)
        #expect(try own.see(#"{"id":"a","device":"phone"}"#).status == 404)
        #expect(try salts(own).isEmpty)
        // Published again, it is new to devices, and already seen by users who have seen it.
        try await own.publish("a", at: own.now)
        #expect(try own.current("device=phone")["id"].string == "a")
        let again = try await own.session(for: "ada@example.org")
        #expect(try own.current("ckWebAuthToken=\(again)")["id"].string == nil)
        #expect(try own.see(#"{"id":"a","device":"phone"}"#).status == 200)
        #expect(try own.current("device=phone")["id"].string == nil && found("phone", of: "a", in: own) == 1)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "A withdrawal or deletion is the end, an extension a later one; deletion removes the rows",
        arguments: ["withdrawn", "deleted", "extended", "for good"])
    func ends(kind: String) async throws {
        let own = try await MessageCloud()
        let start = own.now
        #expect(try own.save("a", MessageCloud.complete(), at: start, until: start + 5_000) == "")
        #expect(try own.see(#"{"id":"a","device":"phone"}"#).status == 200)
        own.now += 1_000
        switch kind {
        case "withdrawn": #expect(try own.save("a", MessageCloud.complete()) == "")
        case "deleted":
            let body = #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"a"}}]}"#
            #expect(try own.database("records/modify", body, as: .friend).status == 200)
        case "extended": #expect(try own.save("a", MessageCloud.complete(), at: start, until: start + 9_000) == "")
        default: #expect(try own.save("a", MessageCloud.complete(), at: start) == "")
        }
        let end = ["withdrawn": start + 1_000, "deleted": start + 1_000, "extended": start + 9_000][kind]
        own.now = (end ?? start) + Self.month - 1
        await own.cloud.runDueJobs()
        #expect(try salts(own).count == 1)
        own.now += 1
        await own.cloud.runDueJobs()
        #expect(try salts(own).isEmpty == (end != nil))
        #expect(try own.rows(of: "a").isEmpty == (kind == "deleted"))
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "Deleting a message after its salt was removed removes its rows, and rows of types without settings are removed in time"
    )
    func late() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(), at: own.now, until: own.now + 1) == "")
        #expect(try own.save("b", MessageCloud.complete(.information, ["slot": "side"]), at: own.now) == "")
        for name in ["a", "b"] {
            #expect(try own.see(#"{"id":"\#(name)"}"#, as: .person).status == 200)
            #expect(try own.see(#"{"id":"\#(name)","device":"phone"}"#).status == 200)
        }
        own.now += Self.month + 1
        await own.cloud.runDueJobs()
        #expect(try salts(own).map(\.message) == ["b"] && own.rows(of: "a").count == 2)
        try await own.delete("a")
        try await own.set("messages", nil)
        await own.cloud.runDueJobs()
        own.now += Self.month
        await own.cloud.runDueJobs()
        #expect(try salts(own).isEmpty && own.rows(of: "a").isEmpty && own.rows(of: "b").isEmpty)
        #expect(try own.cloud.check() == [])
    }

    @Test(
        "A message that is shown again starts another round, and late reports of the earlier one no longer count"
    )
    func rounds() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(), at: own.now) == "")
        #expect(try own.current()["round"].isAbsent)
        #expect(try own.see(#"{"id":"a","device":"phone"}"#).status == 200)
        #expect(try own.see(#"{"id":"a"}"#, as: .person).status == 200)
        let administration = own.administration
        #expect(try administration.seen("a", in: own.store) == 2)
        for _ in 0..<2 {
            let step = ForgetSeen(message: "a", isAsked: true, now: own.now)
            while case .more = try await administration.commit(
                to: own.store, step.reading, { try step.decide($0) })
            {}
        }
        #expect(try administration.seen("a", in: own.store) == 0)
        #expect(try own.current("device=phone")["round"] == 2 && own.current(as: .person)["round"] == 2)
        #expect(try own.rows(of: "a").isEmpty)
        #expect(try own.see(#"{"id":"a","device":"phone","round":1}"#).status == 200)
        #expect(try own.current("device=phone")["id"].string == "a")
        #expect(try own.see(#"{"id":"a","device":"phone","round":2}"#).status == 200)
        #expect(try own.current("device=phone")["id"].string == nil)
    }

    @Test("Devices that one address invents are rejected beyond 600 a minute; people, others and this machine are not")
    func invented() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(), at: own.now) == "")
        let liar = ClientNetwork("203.0.113.7")
        for number in 0..<1_000 {
            let answer = try own.see(#"{"id":"a","device":"d\#(number)"}"#, from: liar)
            #expect(answer.status == (number < 600 ? 200 : 429))
            guard number == 600 else { continue }
            #expect(answer.text.contains("THROTTLED") && answer.text.contains(#""retryAfter":60"#), "\(answer.text)")
        }
        #expect(try own.rows(of: "a").count == 600)
        #expect(try own.see(#"{"id":"a","device":"x"}"#, from: ClientNetwork("203.0.113.8")).status == 200)
        #expect(try own.see(#"{"id":"a","device":"y"}"#).status == 200)
        #expect(try own.see(#"{"id":"a"}"#, as: .person, from: liar).status == 200)
        own.now += 60_000
        #expect(try own.see(#"{"id":"a","device":"z"}"#, from: liar).status == 200)
    }

    @Test("With a cap nobody is shown more than the allowed number of messages in a period, across slots")
    func cap() async throws {
        let own = try await MessageCloud(more: #","cap":{"messages":1,"days":7}"#)
        let day: Milliseconds = 86_400_000
        let start = own.now
        #expect(try own.save("a", MessageCloud.complete(), at: start, until: start + day) == "")
        #expect(try own.save("b", MessageCloud.complete(.information, ["slot": "side"]), at: start) == "")
        #expect(try own.see(#"{"id":"a","device":"phone"}"#).status == 200)
        let answer = try JSON(reading: own.ask("device=phone&slot=side").body)
        #expect(answer["message"]["id"].string == nil && answer["changesAt"] == .int(start + 7 * day), "\(answer)")
        #expect(try own.current("device=tablet&slot=side")["id"].string == "b")
        // The message that matters has ended.
        own.now = start + 7 * day - 1
        let later = try JSON(reading: own.ask("device=phone&slot=side").body)
        #expect(later["message"]["id"].string == nil && later["changesAt"] == .int(start + 7 * day), "\(later)")
        own.now += 1
        #expect(try own.current("device=phone&slot=side")["id"].string == "b")
    }

    @Test("Messages from before their type was configured appear and end with a notification")
    func earlier() async throws {
        let own = try await MessageCloud()
        let moments = DueEventRow.due(by: .max, limit: 10)
        #expect(try own.save("a", MessageCloud.complete(), at: own.now + 1_000, until: own.now + 2_000) == "")
        #expect(try own.store.rows(moments).map(\.at) == [own.now + 1_000])
        // As if it had been saved earlier.
        var reading = ReadSet()
        reading.databases = [Messages.database]
        reading.ask(moments)
        let now = own.now
        try await own.administration.commit(to: own.store, reading) { reading -> Decision<Void> in
            var set = WriteSet()
            for row in reading[moments] { set.remove(row) }
            set.ask(for: Messages.name, at: now)
            return .write(set, ())
        }
        #expect(try own.store.rows(moments).isEmpty)
        await own.cloud.runDueJobs()
        #expect(try own.store.rows(moments).map(\.at) == [own.now + 1_000])
    }
}
