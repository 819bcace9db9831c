import Audience
import CloudKitWire
import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "Days".
@Suite("Messages for a day") struct DayTests {
    private static let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)

    private func time(_ text: String) throws -> Int64 { try #require(Moment.milliseconds(text)) }

    @Test("A message for one day is shown in each hour of that day and in no other, without a release (S2-4)")
    func oneDay() async throws {
        let own = try await MessageCloud()
        let begin = try time("2026-03-07 00:00 America/Los_Angeles")
        #expect(try own.save("anniversary", MessageCloud.complete(), at: begin, until: begin + Self.day) == "")
        for hour in -48..<72 as Range<Int64> {
            for time in [begin + hour * Self.hour - 1, begin + hour * Self.hour] {
                own.now = time
                let isThatDay = (begin..<begin + Self.day).contains(time)
                #expect(try own.current()["id"].string == (isThatDay ? "anniversary" : nil), "hour \(hour)")
            }
        }
        own.now = begin + 365 * Self.day
        #expect(try own.current() == .null)
    }

    /// Saves a message for the 7th of March of each reader.
    private func savingDay(_ own: MessageCloud) throws {
        let fields = MessageCloud.complete(.information, ["audience": #"{"day":"2026-03-07"}"#])
        let (first, last) = (try time("2026-03-07 00:00 Pacific/Kiritimati"), try time("2026-03-08 00:00 Etc/GMT+12"))
        #expect(last - first == 50 * Self.hour)
        #expect(try own.save("anniversary", fields, at: first, until: last) == "")
    }

    @Test("A message for a calendar day is shown to each reader while it is that day where they are (S2-41)")
    func everyReader() async throws {
        let own = try await MessageCloud()
        try savingDay(own)
        let zones = [
            "Pacific/Kiritimati", "Pacific/Auckland", "Asia/Kathmandu", "Europe/Berlin", "UTC", "America/Los_Angeles",
            "Etc/GMT+12",
        ]
        var moments: [(time: Int64, zone: String, isShown: Bool)] = []
        for zone in zones {
            let begin = try time("2026-03-07 00:00 \(zone)")
            for (time, isShown) in [
                (begin - 1, false), (begin, true), (begin + Self.day - 1, true), (begin + Self.day, false),
            ] { moments.append((time, zone, isShown)) }
        }
        for moment in moments.sorted(by: { $0.time < $1.time }) {
            own.now = moment.time
            let message = try own.current("timeZone=\(percentEncoded(moment.zone))")
            #expect(message["id"].string == (moment.isShown ? "anniversary" : nil), "\(moment)")
            // Nobody knows which day it is for a reader who does not say where they are, or says something else.
            for other in ["", "timeZone=Mars/Base"] { #expect(try own.current(other) == .null) }
        }
    }

    @Test("A client that asks again when the response may change sees a day begin and end on time")
    func announced() async throws {
        let own = try await MessageCloud()
        try savingDay(own)
        let begin = try time("2026-03-07 00:00 Asia/Kathmandu")
        var (changes, isShown, count): ([Int64], Bool, Int) = ([], false, 0)
        own.now = begin - 2 * Self.day
        while true {
            let answer = try JSON(reading: own.ask("timeZone=Asia/Kathmandu").body)
            if (answer["message"]["id"].string != nil) != isShown {
                changes.append(own.now)
                isShown.toggle()
            }
            guard let next = answer["changesAt"].int64 else { break }
            #expect(next > own.now)
            (own.now, count) = (next, count + 1)
        }
        #expect(changes == [begin, begin + Self.day] && count == 50 * 4 + 1)
    }
}
