import NephosBackend
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import TestEngines
import Testing

/// docs/decisions/0019, 0067: a server that notifies members of shares, or prepares a large share, dies at each of its steps, and another
/// one continues.
@Suite("Background work for shares that dies at each step") struct ShareFaultWalkTests {
    private let people: SharingCloud

    init() async throws { people = try await SharingCloud() }

    /// A server that dies at a step does all work that is due.
    ///
    /// - Returns: Whether it lived.
    private func lives(_ fuse: Fuse) async throws -> Bool {
        let second = try people.secondServer(fuse)
        defer { second.engine.close() }
        try? await second.server.jobs.noteAll()
        await second.server.jobs.runDue()
        return !fuse.isBlown
    }

    private func modify(_ operation: String) throws {
        let answer = try people.modify([operation])
        try #require(answer.allSatisfy { $0["serverErrorCode"].isAbsent }, "\(answer)")
    }

    /// What is new for a device, with the reasons of what is gone.
    private func changes(_ token: inout String?, as person: SharingCloud.Person) throws -> [String] {
        let answer = try people.cloudJSON(
            "shared/changes/database", token.map { #"{"syncToken":"\#($0)"}"# } ?? "{}", as: person)
        token = answer["syncToken"].string
        return answer["zones"].elements.map {
            ($0["zoneID"]["zoneName"].string ?? "") + ($0["deletedReason"].string.map { " \($0)" } ?? "")
        }
    }

    @Test("Each member is notified once of what happened to them", arguments: Fuse.CrashPoint.allCases)
    func notifications(_ blow: Fuse.CrashPoint) async throws {
        let both = [people.participant(.friend), people.participant(.third)]
        var (friend, third): (String?, String?) = (nil, nil)
        var (step, hasLived) = (-1, false)
        while !hasLived {
            // Each transaction is preceded by a read.
            step += 2
            try #require(step < 100, "no server lived")
            try modify(people.share("Share-\(step)", of: "root", both))
            let guid = try #require(try people.record("Share-\(step)")["shortGUID"].string)
            for person in [SharingCloud.Person.friend, .third] {
                #expect(try people.accept(guid, as: person)["serverErrorCode"].isAbsent)
            }
            await people.cloud.runDueJobs()
            #expect(try changes(&friend, as: .friend) == ["Notes"] && changes(&third, as: .third) == ["Notes"])

            let tag = try people.record("Share-\(step)")["recordChangeTag"].string
            try modify(people.share("Share-\(step)", of: nil, [people.participant(.third)], tag: tag))
            let first = try await lives(Fuse(at: step, blow))
            await people.cloud.runDueJobs()
            #expect(try changes(&friend, as: .friend) == ["Notes REMOVED"], "step \(step)")
            #expect(try changes(&third, as: .third) == ["Notes"], "step \(step)")

            try modify(people.delete("Share-\(step)"))
            let second = try await lives(Fuse(at: step, blow))
            await people.cloud.runDueJobs()
            #expect(try changes(&third, as: .third) == ["Notes UNSHARED"], "step \(step)")
            #expect(try changes(&friend, as: .friend) == [], "step \(step)")
            let findings = try people.cloud.check()
            #expect(findings.isEmpty, "step \(step): \(findings)")
            hasLived = first && second
        }
        #expect(step > 4, "a server takes more steps than that")
    }

    @Test(
        "A member is notified once that an owner has left, at whatever step of the erasure a server dies",
        arguments: Fuse.CrashPoint.allCases)
    func erasure(_ blow: Fuse.CrashPoint) async throws {
        // Not at each step, because each needs another owner: at others for each way to die.
        var (step, hasLived) = (blow == Fuse.CrashPoint.allCases.first ? 1 : 6, false)
        while !hasLived {
            try #require(step < 300, "no server lived")
            let people = try await SharingCloud()
            let share = try people.modify([people.share("Share-1", of: "root", [people.participant(.friend)])])[0]
            #expect(try people.accept(try #require(share["shortGUID"].string), as: .friend)["serverErrorCode"].isAbsent)
            await people.cloud.runDueJobs()
            var token: String?
            func news() throws -> [String] {
                let response = try people.cloudJSON(
                    "shared/changes/database", token.map { #"{"syncToken":"\#($0)"}"# } ?? "{}", as: .friend)
                token = response["syncToken"].string
                return response["zones"].elements.map { $0["deletedReason"].string ?? "there" }
            }
            #expect(try news() == ["there"])

            let fuse = Fuse(at: step, blow)
            let second = try people.secondServer(fuse)
            let dying = CrashingEngine(second.engine, fuse)
            // It notifies the members between two attempts.
            for _ in 0..<2 {
                _ = try? await people.erase(.owner, on: dying)
                try? await second.server.jobs.noteAll()
                await second.server.jobs.runDue()
            }
            hasLived = !fuse.isBlown
            second.engine.close()

            var isGone = false
            for _ in 0..<4 where !isGone {
                isGone = try await people.erase(.owner)
                await people.cloud.runDueJobs()
            }
            #expect(isGone, "step \(step)")
            #expect(try news() == ["OWNER_LEFT"], "step \(step)")
            #expect(try news() == [], "step \(step)")
            #expect(try people.seen(by: .friend) == nil, "step \(step)")
            let findings = try people.cloud.check()
            #expect(findings.isEmpty, "step \(step): \(findings)")
            step += 10
        }
        #expect(step > 20, "a server takes more steps than that")
    }

    @Test("A large share shows all of it in the end, and nothing before", arguments: Fuse.CrashPoint.allCases)
    func preparation(_ blow: Fuse.CrashPoint) async throws {
        for batch in 0..<6 {
            try people.modify((0..<180).map { people.save("p\(batch)-\($0)", parent: "root") })
        }
        var (step, hasLived) = (1, false)
        while !hasLived {
            try modify(people.share("Share-\(step)", of: "root", [people.participant(.friend)]))
            let guid = try #require(try people.record("Share-\(step)")["shortGUID"].string)
            #expect(try people.accept(guid, as: .friend)["serverErrorCode"] == "TRY_AGAIN_LATER")
            hasLived = try await lives(Fuse(at: step, blow))
            if !hasLived, try people.accept(guid, as: .friend)["serverErrorCode"].isAbsent {
                #expect(try people.followed(by: .friend).count == 1_083, "step \(step)")
            }
            await people.cloud.runDueJobs()
            #expect(try people.accept(guid, as: .friend)["serverErrorCode"].isAbsent)
            #expect(try people.followed(by: .friend).count == 1_083, "step \(step)")
            let findings = try people.cloud.check()
            #expect(findings.isEmpty, "step \(step): \(findings)")
            try modify(people.delete("Share-\(step)"))
            await people.cloud.runDueJobs()
            // Each transaction takes a few steps.
            step += 5
            try #require(step < 200, "no server lived")
        }
        #expect(step > 20, "a server takes more steps than that")
    }
}
