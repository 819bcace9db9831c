import DeliveryTesting
import NephosTesting
import Testing

extension DeliveryTests {
    /// An operator's view of deliveries: `nephos push log`.
    @Suite struct PushLogTests {
        // The log contains the recipient, the time, the subscription and the result; not the content
        @Test func theLogSaysWhatCameOfEachPushAndNothingOfWhatWasSaid() async throws {
            let around = try await PushEnvironment([.status(200), .apns(400, "BadCollapseId")])
            let party = around.party
            let info: JSON = [
                "alertBody": "confidential text", "alertLocalizationKey": "KEY", "alertLocalizationArgs": ["title"],
                "additionalFields": ["title", "n"], "collapseIDKey": "collapsed",
            ]
            let secret = "a very private value"
            for (token, who) in [("1", Party.Who.phone), ("2", .grace)] as [(Character, Party.Who)] {
                try party[who].nameless.subscribe(
                    query("Open", "over-\(token)", with: ["notificationInfo": info]), in: .public)
                try around.phone(phoneToken(token), of: who)
            }
            try party.server.create(
                "Open", "the-name", ["title": ["value": .string(secret)], "n": ["value": 4_711]], in: .public)
            #expect(await around.apns.requests(atLeast: 2).allSatisfy { $0.bodyText.contains(secret) })
            _ = try around.log(until: "delivered")
            let log = try around.log(until: "given up")
            let lines = log.split(separator: "\n")
            #expect(lines.count == 3, "\(log)")
            for text in ["over-1", "over-2", "400 BadCollapseId", "apns", "public", "200"] {
                #expect(log.contains(text), "\(text) in \(log)")
            }
            for text in [secret, "confidential", "KEY", "the-name", "4711", phoneToken("1"), "collapsed"] {
                #expect(!log.contains(text), "\(text)")
                #expect(!around.cloud.server.logText.contains(text), "\(text) in the server's log")
            }
            // Of one user only.
            let grace = try party[.grace].client.userName()
            for name in ["grace@example.org", grace] {
                let lines = try around.log("--user", name).split(separator: "\n")
                #expect(lines.count == 2 && lines[1].contains("over-2") && lines[1].contains(grace), "\(lines)")
            }
            #expect(try around.log("--user", "rosa@example.org") == "")
            #expect(try around.log("--limit", "1").split(separator: "\n").count == 2)
            let unknown = try around.cloud.server.command.run(
                ["push", "log", party.container.id, "--environment", "development", "--user", "nobody@example.org"])
            #expect(unknown.status == 1 && unknown.errors.contains("nobody@example.org"), "\(unknown)")
            try await around.end()
        }

        // `--follow` continues with new entries
        @Test func whoFollowsTheLogSeesWhatComes() async throws {
            let around = try await PushEnvironment(place: .process)
            let ada = try around.party[.phone].nameless
            try ada.subscribe(query("Open", "s"), in: .public)
            try around.phone(phoneToken("1"), of: .phone)
            let folder = try TemporaryFolder(prefix: "nephos-follow")
            let follower = try around.cloud.server.command.start(
                ["push", "log", around.party.container.id, "--environment", "development", "--follow"],
                output: "\(folder.path)/output", errors: "\(folder.path)/errors")
            defer { follower.signal(9) }
            func lines() throws -> Int {
                String(decoding: try readFile("\(folder.path)/output"), as: UTF8.self)
                    .split(separator: "\n").count { $0.contains("delivered") }
            }
            for number in 1...3 {
                try around.party.server.create("Open", "r\(number)", in: .public)
                #expect(try await Deadline().awaits { try lines() >= number })
            }
            #expect(try lines() == 3, "each line once")
            follower.signal(2)
            #expect(follower.wait(atMost: Double(Patience.seconds)) != nil)
            try await around.end()
        }

        // The operator is told what is missing
        @Test func withoutAKeyTheLogSaysWhatToRun() async throws {
            let around = try await PushEnvironment(configured: false)
            try around.party[.phone].nameless.subscribe(query("Open", "s"), in: .public)
            try around.phone(phoneToken("1"), of: .phone, environment: "development")
            try around.party.server.create("Open", "a", in: .public)
            let log = try around.log(until: "nephos push configure --sandbox")
            #expect(log.contains("failed") && around.apns.requests.isEmpty)
            try await around.end()
        }
    }
}
