import CloudKit
import Foundation
import NephosTesting
import Testing
import Trends

extension TrendsKitTests {
    /// docs/trends-kit.md, "Figures".
    @Suite("Figures") struct FigureTests {
        @Test("The article's derived values are in the JSON of the figures under its names")
        func derived() async throws {
            let world = try World()
            let device = try world.device()
            for count in [2, 5, 1] {
                try await device.make(count)
                world.clock.advance(hours: 24)
            }
            try await device.make(1, "Novenas") { $0["names"] = ["a", "b", "c"] }
            let trends = device.trends(["Post", "Gone"], lists: ["Novenas.names", "Post.tags"])
            await trends.refresh()
            world.clock.advance(seconds: 60)
            try await device.make(1, "Novenas") { $0["names"] = ["a"] }
            let figures = try #require(await trends.refresh().figures)
            let json = try JSON(reading: Array(JSONEncoder().encode(figures)))
            #expect(
                json == [
                    "TRACKING": ["types": ["Post", "Gone"], "lists": ["Novenas.names", "Post.tags"]],
                    "LAST_CHECK": ["Post": .int(world.clock.read())], "MAX_COUNT": ["Post": 5],
                    "EARLIEST_DATE": ["Post": "2027-03-20"], "TOTALS": ["Novenas.names": 1],
                    "DELTAS": ["Novenas.names": -2],
                ], "\(json)")
            try world.end()
        }

        @Test(
            "A server has figures of an app without the kit; the kit's queries give the same (S4-14, S4-15)"
        )
        func server() async throws {
            let world = try World(at: "2027-03-27T20:00:00Z")
            let device = try world.device()
            for count in [3, 0, 7, 1] {
                if count > 0 { try await device.make(count) }
                world.clock.advance(hours: 5)
            }
            var signer = try world.container.key()
            signer.skewSeconds = Int(world.clock.date.timeIntervalSinceNow)
            let answer = try world.container.client(.key(signer)).send(
                "GET", "/nephos/1/\(world.container.id)/development/trends/series?type=Post&zone=Europe/Rome", body: nil
            )
            let told = try answer.json["periods"].elements.filter { $0["created"] != 0 }.map {
                ($0["start"].string ?? "", Int($0["created"].int64 ?? 0))
            }
            #expect(answer.status == 200 && told.count == 2, "\(answer)")
            let trends = device.trends(zone: "Europe/Rome")
            let url = try #require(URL(string: "novena://cktrends"))
            let refresh = await withCheckedContinuation { continuation in
                #expect(trends.appWasOpened(from: url) { continuation.resume(returning: $0) })
            }
            #expect(refresh.days("Post") == Dictionary(uniqueKeysWithValues: told))
            try world.end()
        }
    }
}
