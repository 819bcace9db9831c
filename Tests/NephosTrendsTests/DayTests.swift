import CloudKitWire
import Foundation
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

/// docs/trends.md, "Settings" and "Pictures": in which day a record counts, and what a chart shows of it.
@Suite("Days of trends, and their views") struct DayTests {
    /// Two records and a deletion within 13 hours, on different days in different time zones.
    private func cloud() async throws -> TrendCloud {
        let own = try await TrendCloud()
        let day = 86_400_000 as Int64
        // 20:30 UTC on the 5th of January, 07:30 and 09:00 on the 6th.
        for (time, operation) in [
            (4 * day + 73_800_000, TrendCloud.save("Post", "a")), (5 * day + 27_000_000, TrendCloud.save("Post", "b")),
            (5 * day + 32_400_000, TrendCloud.delete("a")),
        ] {
            own.now = SmallCloud.now + time
            #expect(try own.modify([operation]) == [""])
        }
        return own
    }

    private static let days = [
        "UTC": ["2026-01-05 1 0 0 1", "2026-01-06 1 1 0 1"],
        "America/Los_Angeles": ["2026-01-05 2 0 0 2", "2026-01-06 0 1 0 1"],
        "Asia/Kathmandu": ["2026-01-06 2 1 0 1"],
    ]

    @Test("A record counts in the day of the requested time zone, else of that in the settings (S4-28)")
    func zones() async throws {
        let own = try await cloud()
        for (zone, days) in Self.days { #expect(try own.told("Post", zone: zone, by: "day") == days, "\(zone)") }
        for zone in Self.days.keys {
            try await own.set(#"{"zone":"\#(zone)"}"#)
            let answer = try JSON(reading: own.series("type=Post").body)
            #expect(answer["zone"].string == zone)
            let days = answer["periods"].elements.map { day in
                let counts = ["created", "deleted", "restored", "live"].map { "\(day[$0].int64 ?? -1)" }
                return "\(day["start"].string ?? "") \(counts.joined(separator: " "))"
            }
            #expect(days == Self.days[zone])
            // A chart may have another one than the settings.
            for other in Self.days.keys { #expect(try own.told("Post", zone: other, by: "day") == Self.days[other]) }
        }
    }

    @Test("Created records and the difference, in which deletions count, are separate views of the same days (S4-28)")
    func views() async throws {
        let own = try await cloud()
        /// What the bars of a chart say of their days; it is drawn for narrow and for wide screens.
        func bars(_ view: String, _ zone: String) throws -> Set<String> {
            let svg = try own.series("type=Post&form=svg&view=\(view)&zone=\(percentEncoded(zone))")
            #expect(svg.status == 200)
            let text = String(decoding: svg.body, as: UTF8.self)
            return Set(text.matches(of: /<title>(2026-01-0[56][^<]*)<\/title>/).map { String($0.1) })
        }
        let (fifth, sixth) = ("2026-01-05: ", "2026-01-06 so far: ")
        #expect(try bars("created", "UTC") == [fifth + "1", sixth + "1"])
        // One was created and one was deleted.
        #expect(try bars("net", "UTC") == [fifth + "1", sixth + "0"])
        #expect(try bars("created", "America/Los_Angeles") == [fifth + "2", sixth + "0"])
        #expect(try bars("net", "America/Los_Angeles") == [fifth + "2", sixth + "\u{2212}1"])
        #expect(try bars("created", "Asia/Kathmandu") == [sixth + "2"])
        #expect(try bars("net", "Asia/Kathmandu") == [sixth + "1"])
    }
}
