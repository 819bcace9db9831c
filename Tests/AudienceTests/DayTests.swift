import Audience
import CloudKitWire
import Testing

/// docs/audiences.md, "Days".
@Suite("Days of each client's calendar") struct DayTests {
    private func condition(_ text: String) throws -> Condition {
        var (json, reader) = (try json(text), ConditionReader(salt: ""))
        return try reader.read(&json)
    }

    @Test(
        "A day begins and ends by the clock of each client, and between the announced times nothing changes",
        arguments: [
            "Pacific/Kiritimati", "Asia/Kathmandu", "Europe/Berlin", "UTC", "America/St_Johns", "America/Los_Angeles",
            "Etc/GMT+12",
        ])
    func clocks(zone: String) throws {
        // Clocks are put forward in Berlin.
        let day = try condition(#"{"day":"2027-03-28"}"#)
        var context = EvaluationContext(now: 0)
        context.timeZone = ClientZone(zone)
        func fits(_ now: Int64) -> Bool {
            context.now = now
            return AudienceBook.empty.verdict(of: day, for: context) == .yes
        }
        let begin = try #require(Moment.milliseconds("2027-03-28 00:00 \(zone)"))
        let end = try #require(Moment.milliseconds("2027-03-29 00:00 \(zone)"))
        var (time, isSo, changes, count) = (begin - 259_200_000, false, [] as [Int64], 0)
        while let next = AudienceBook.empty.nextEdge(of: day, after: time) {
            #expect(fits(next - 1) == isSo)
            if fits(next) != isSo {
                changes.append(next)
                isSo.toggle()
            }
            (time, count) = (next, count + 1)
        }
        // From where the day begins first to where it ends last, each quarter of an hour.
        #expect(changes == [begin, end] && count == 50 * 4 + 1)
    }

    @Test("A client whose time zone is not known is in no day")
    func unknown() throws {
        var (context, json) = (EvaluationContext(now: 1_000), try json(#"{"timeZone":"Mars/Base"}"#))
        try context.read(&json)
        #expect(context.timeZone == nil && context.claims["timeZone"] == .string("Mars/Base"))
        let days = try condition(#"{"day":["1969-12-31","1970-01-01","1970-01-02"]}"#)
        #expect(AudienceBook.empty.verdict(of: days, for: context) == .no)
        let reason = "the time zone is not known, because \"Mars/Base\" cannot be read"
        #expect(AudienceBook.empty.denial(of: days, for: context) == reason)
    }

    @Test("Flags know the times at which a day may begin or end for somebody, the first 400 of them")
    func edges() throws {
        let now = try #require(Moment.milliseconds("2027-03-01T00:00:00Z"))
        func set(_ days: String) -> FlagSet {
            FlagSet([flag("f", rules: #"[{"when":{"day":[\#(days)]},"serve":"on"}]"#)], .empty, now: now)
        }
        let first = try #require(Moment.milliseconds("2027-03-06T10:00:00Z"))
        let one = set(#""2027-03-07""#)
        #expect(one.edges.count == 201 && one.nextEdge(after: now) == first && one.reaches(.max - 1))
        let many = set((10..<28).map { "\"2027-03-\($0)\"" }.joined(separator: ","))
        #expect(many.edges.count == 400 && !many.reaches(many.edges[399]) && many.reaches(many.edges[399] - 1))
    }
}
