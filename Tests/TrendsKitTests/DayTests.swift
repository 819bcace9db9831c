import Foundation
import Testing

@testable import Trends

extension TrendsKitTests {
    /// docs/trends-kit.md, "Days".
    @Suite("Days") struct DayTests {
        @Test(
            "A record is counted on the day of the time zone: with half-hour offsets, and around clock changes",
            arguments: [
                ("Asia/Kolkata", ["2027-03-20T18:29:59Z": "2027-03-20", "2027-03-20T18:30:00Z": "2027-03-21"]),
                // The day on which daylight saving time starts has 23 hours.
                (
                    "Europe/Rome",
                    [
                        "2027-03-27T22:59:59Z": "2027-03-27", "2027-03-27T23:00:00Z": "2027-03-28",
                        "2027-03-28T21:59:59Z": "2027-03-28", "2027-03-28T22:00:00Z": "2027-03-29",
                    ]
                ),
                ("America/New_York", ["2027-03-14T04:59:59Z": "2027-03-13", "2027-03-15T03:59:59Z": "2027-03-14"]),
            ])
        func boundaries(zone: String, moments: [String: String]) async throws {
            let sorted = moments.sorted { $0.key < $1.key }
            let world = try World(at: sorted[0].key)
            let device = try world.device()
            for moment in sorted {
                world.clock.set(moment.key)
                try await device.make(1)
            }
            let result = await device.trends(zone: zone).refresh()
            #expect(result.days("Post") == Dictionary(grouping: sorted.map(\.value)) { $0 }.mapValues(\.count))
            #expect(result.figures?.zone == zone)
            try world.end()
        }

        @Test(
            "A day of 25 hours, and one without a midnight",
            arguments: [
                ("Europe/Rome", "2027-10-30T22:00:00Z", "2027-10-31T22:59:59Z", "2027-10-31"),
                // At midnight, clocks were set to one: https://data.iana.org/time-zones, africa.
                ("Africa/Cairo", "2024-04-25T22:00:00Z", "2024-04-26T20:59:59Z", "2024-04-26"),
                ("Asia/Kathmandu", "2027-03-20T18:15:00Z", "2027-03-21T18:14:59Z", "2027-03-21"),
            ])
        func ends(zone: String, first: String, last: String, day: String) throws {
            let (first, last) = (try Date(first, strategy: .iso8601), try Date(last, strategy: .iso8601))
            var ruler = DayCalendar(try #require(TimeZone(identifier: zone)))
            #expect([first - 1, first, last, last + 1].map { ruler.day(of: $0) == day } == [false, true, true, false])
            #expect([last + 1, last, first, first - 1].map { ruler.day(of: $0) == day } == [false, true, true, false])
        }

        @Test("The time zone of the first refresh stays in use; another one counts everything anew")
        func zones() async throws {
            let world = try World(at: "2027-03-20T23:30:00Z")
            let device = try world.device()
            try await device.make(7)
            #expect(await device.trends(zone: "Europe/Rome").refresh().days("Post") == ["2027-03-21": 7])
            let same = await device.trends(zone: nil).refresh()
            #expect(same.days("Post") == ["2027-03-21": 7] && same.figures?.zone == "Europe/Rome")
            world.clock.advance(hours: 24)
            device.transport.forget()
            let other = await device.trends(zone: "America/New_York").refresh()
            #expect(other.days("Post") == ["2027-03-20": 7] && device.recordsRead == 7)
            #expect(try await device.trends(zone: nil).figures() == other.figures)
            try world.end()
        }

        @Test("Years are stored separately, and a year without counts is removed")
        func years() async throws {
            let world = try World(at: "2027-12-31T23:30:00Z")
            let device = try world.device()
            try await device.make(2)
            world.clock.advance(hours: 1)
            try await device.make(3)
            #expect(await device.trends().refresh().days("Post") == ["2027-12-31": 2, "2028-01-01": 3])
            let east = await device.trends(zone: "Asia/Tokyo").refresh()
            #expect(east.days("Post") == ["2028-01-01": 5])
            #expect(try await device.trends(zone: nil).figures().earliestDate == ["Post": "2028-01-01"])
            try world.end()
        }
    }
}
