import NephosDelivery
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import TestEngines
import Testing

/// A process that notifies devices dies at each of its steps, and another one continues: docs/decisions/0006, "a server may die at
/// any step, and another may go on; nothing may be lost, and nobody told twice for long".
@Suite("Fault walk") struct FaultWalkTests {
    struct Walk: CustomTestStringConvertible, Sendable {
        var blow: Fuse.CrashPoint
        var channels: Set<WalkedCloud.Channel>
        var once = false

        var testDescription: String {
            let names = channels.map(\.rawValue).sorted().joined(separator: ", ")
            return "dies \(blow) a step, telling \(names)\(once ? " once" : "")"
        }

        /// Those with a single channel take the same steps in the store as those with all, so one engine has them.
        static let all: [Walk] = Fuse.CrashPoint.allCases.flatMap { blow in
            (isOnOneEngine ? WalkedCloud.Channel.allCases.map { Walk(blow: blow, channels: [$0]) } : [])
                + [
                    Walk(blow: blow, channels: [.courier], once: true),
                    Walk(blow: blow, channels: Set(WalkedCloud.Channel.allCases)),
                ]
        }

        private static let isOnOneEngine = (try? TestEngine.chosen) == .sqlite
    }

    // docs/decisions/0006
    @Test(arguments: Walk.all)
    func whateverStepAProcessDiesAtEveryDeviceIsToldOnceOrTwiceAndNobodyElse(_ walk: Walk) async throws {
        let cloud = try await WalkedCloud()
        let (ada, grace) = (try await cloud.person("ada"), try await cloud.person("grace"))
        var pollers = ["grace": try await cloud.courier(grace)]
        try await cloud.subscribe(grace, "other", n: 2)
        var expected: Set<String> = []
        if walk.channels.contains(.courier) {
            pollers["courier"] = try await cloud.courier(ada)
            expected.insert("courier")
        }
        if walk.channels.contains(.apns) {
            _ = try await cloud.phone(ada)
            expected.insert("phone")
        }
        if walk.channels.contains(.webhook) {
            _ = try await cloud.webhook()
            expected.insert("webhook")
        }
        var (number, runsThatLived) = (0, 0)
        // Concurrent steps have no fixed order: one surviving run proves little.
        while runsThatLived < 3 {
            number += 1
            try #require(number < 200, "no run lived")
            if walk.channels != [.webhook] { try await cloud.subscribe(ada, "s", n: 1, once: walk.once) }
            let record = "note\(number)"
            try await cloud.save(grace, record, n: 1)
            let fuse = Fuse(at: number, walk.blow)
            try await cloud.live(fuse, pollers: pollers) { try cloud.left().isEmpty }
            if !fuse.isBlown { runsThatLived += 1 }
            // Its leases have expired.
            cloud.clock.advance(seconds: 61)
            try await cloud.live(Fuse(at: .max, .before), pollers: pollers) { try cloud.left().isEmpty }
            let counts = cloud.told.counts(of: record)
            #expect(Set(counts.keys) == expected, "\(record)")
            #expect(counts.values.allSatisfy { $0 <= (fuse.isBlown ? 2 : 1) }, "\(record): \(counts)")
            #expect(try cloud.store.check { _, _ in } == [], "\(record)")
        }
        #expect(number > 5, "a process takes more steps than that")
        await cloud.close()
    }

    // docs/decisions/0006: one transaction records the position in the list of subscribers; 0014: they are scanned in rounds
    @Test(arguments: Fuse.CrashPoint.allCases, [250, 1_000_000])
    func of300SubscribersEachGetsExactlyOneDeliveryWhereverThePumpDies(
        _ blow: Fuse.CrashPoint, comparisonsMax: Int
    ) async throws {
        let cloud = try await WalkedCloud()
        var devices: [DeviceKey] = []
        for name in ["ada", "grace", "rosa"] {
            let person = try await cloud.person(name)
            devices.append(try await cloud.courier(person))
            for number in 0..<100 { try await cloud.subscribe(person, "s\(number)", n: 1) }
        }
        let author = try await cloud.person("author")
        let keys = devices
        var (number, runsThatLived) = (0, 0)
        while runsThatLived < 2 {
            number += 1
            try await cloud.save(author, "note\(number)", n: 1)
            let fuse = Fuse(at: number, blow)
            try await cloud.live(fuse, pollers: [:], comparisonsMax: comparisonsMax) { try cloud.events().isEmpty }
            if !fuse.isBlown { runsThatLived += 1 }
            try await cloud.live(Fuse(at: .max, .before), pollers: [:], comparisonsMax: comparisonsMax) {
                try cloud.events().isEmpty
            }
            let deliveries = try cloud.deliveries(keys)
            #expect(deliveries.count == 300 && deliveries.allSatisfy { $0.changes == 1 }, "\(deliveries.count)")
            #expect(try cloud.store.check { _, _ in } == [])
            for chunk in deliveries.chunks(of: 200) {
                let finish = FinishDeliveries(
                    chunk.map { FinishDeliveries.Item($0, .delivered("taken"), nonce: .random(in: .min ... .max)) },
                    now: cloud.clock.read())
                _ = try await cloud.store.commit(finish.reading, decide: finish.decide)
            }
        }
        #expect(number > 3)
        await cloud.close()
    }
}

extension WalkedCloud {
    fileprivate func events() throws -> [ChangeEventRow] { try store.rows(ChangeEventRow.oldest(limit: 100)) }

    fileprivate func deliveries(_ devices: [DeviceKey]) throws -> [DeliveryRow] {
        try devices.flatMap { try store.rows(DeliveryRow.of($0, limit: 1_000)) }
    }
}
