import Audience
import CloudKitWire
import Testing

/// docs/audiences.md, "Recurrences": with a scripted clock, to the millisecond, across daylight-saving changes.
@Suite("Recurrences") struct RecurrenceTests {
    private static func set(_ every: String, now: Int64) throws -> FlagSet {
        FlagSet([flag("f", rules: #"[{"when":{"every":\#(every)},"serve":"on"}]"#)], .empty, now: now)
    }

    @Test(
        "A recurrence holds from its start and ends to the millisecond",
        arguments: [
            // Daylight-saving time begins on the second of these Sundays.
            (
                #"{"days":["sun"],"from":"02:30","until":"12:00","zone":"Europe/Berlin"}"#,
                [
                    ("2027-03-21T01:30:00Z", "2027-03-21T11:00:00Z"), ("2027-03-28T01:00:00Z", "2027-03-28T10:00:00Z"),
                    ("2027-04-04T00:30:00Z", "2027-04-04T10:00:00Z"),
                ]
            ),
            (
                #"{"days":["fri","sat"],"from":"22:00","until":"02:30","zone":"America/New_York"}"#,
                [("2027-11-06T02:00:00Z", "2027-11-06T06:30:00Z"), ("2027-11-07T02:00:00Z", "2027-11-07T07:30:00Z")]
            ),
            (
                #"{"from":"12-24 18:00","until":"01-02","zone":"Europe/Berlin"}"#,
                [("2026-12-24T17:00:00Z", "2027-01-01T23:00:00Z"), ("2027-12-24T17:00:00Z", "2028-01-01T23:00:00Z")]
            ),
            (
                #"{"from":"02-29","until":"03-02","zone":"UTC"}"#,
                [("2027-03-01T00:00:00Z", "2027-03-02T00:00:00Z"), ("2028-02-29T00:00:00Z", "2028-03-02T00:00:00Z")]
            ),
            (
                #"{"from":"02-29","until":"03-01","zone":"UTC"}"#,
                [("2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"), ("2032-02-29T00:00:00Z", "2032-03-01T00:00:00Z")]
            ),
        ])
    func windows(_ every: String, _ windows: [(String, String)]) throws {
        let start = moment(windows[0].0) - 1
        let set = try Self.set(every, now: start)
        func isOn(_ now: Int64) throws -> Bool {
            try set.evaluate("f", for: EvaluationContext(now: now)).variant.name == "on"
        }
        for (from, until) in windows.map({ (moment($0), moment($1)) }) {
            #expect(try !isOn(from - 1) && isOn(from) && isOn(until - 1) && !isOn(until))
        }
        #expect(Array(set.edges.prefix(windows.count * 2)) == windows.flatMap { [moment($0), moment($1)] })
        #expect(set.edges.count == FlagSet.edgesMax)
        // Without precomputed windows, the result is the same.
        #expect(
            try isOn(moment(windows[0].0) + 400 * 365 * 86_400_000)
                == isOn(moment(windows[0].0) + 400 * 365 * 86_400_000))
    }

    @Test(
        "Beyond the calendar's limits nothing recurs, and asking takes little work",
        arguments: [
            #"{"days":["sat"],"zone":"UTC"}"#, #"{"days":["sat"],"zone":"Pacific/Kiritimati"}"#,
            #"{"from":"12-24","until":"01-02","zone":"Europe/Berlin"}"#,
        ])
    func calendars(every: String) throws {
        var json = try JSONReader(Array(every.utf8)[...])
        let recurrence = try Recurrence(&json)
        let (first, end) = (Recurrence.moments.lowerBound, Recurrence.moments.upperBound)
        for moment in [.min, first - 1, first, 0, end - 1, end, Int64.max / 2, .max - 1_000, .max] {
            let next = recurrence.nextEdge(after: moment)
            #expect((next != nil) == (first..<end).contains(moment), "\(moment)")
            let prepared = recurrence.prepared(at: moment)
            #expect(prepared.contains(moment) == recurrence.contains(moment), "\(moment)")
            #expect(prepared.nextEdge(after: moment) == next)
        }
    }

    @Test("A set is valid as far as every one of its recurrences was computed, even with few moments")
    func reach() throws {
        let now = moment("2027-01-02T12:00:00Z")
        // The days are adjacent, so that two have one edge between them; and it has begun.
        let weekend = try Self.set(#"{"days":["sat","sun"],"zone":"UTC"}"#, now: now)
        #expect(weekend.edges.count < FlagSet.edgesMax)
        let last = try #require(weekend.edges.last)
        #expect(weekend.reaches(last - 1) && !weekend.reaches(last))
        let hourly =
            #"{"every":{"days":["mon","tue","wed","thu","fri","sat","sun"],"from":"09:00","until":"10:00","zone":"UTC"}}"#
        let yearly = #"{"every":{"from":"12-24","until":"12-27","zone":"UTC"}}"#
        let both = FlagSet(
            [flag("f", rules: #"[{"when":{"any":[\#(hourly),\#(yearly)]},"serve":"on"}]"#)], .empty, now: now)
        // 200 days.
        #expect(both.reaches(now + 199 * 86_400_000) && !both.reaches(now + 201 * 86_400_000))
    }

    @Test("The verdict changes exactly at the computed edges, and is computed beyond them too")
    func edges() throws {
        let every = #"{"days":["mon","wed"],"from":"09:00","until":"17:00","zone":"Australia/Lord_Howe"}"#
        let start = moment("2027-01-01T00:00:00Z")
        let set = try Self.set(every, now: start)
        for (place, edge) in set.edges.enumerated() {
            let (before, after) = try (
                set.evaluate("f", for: EvaluationContext(now: edge - 1)),
                set.evaluate("f", for: EvaluationContext(now: edge))
            )
            #expect(before.variant != after.variant && set.edge(at: edge) == place + 1)
        }
        let last = try #require(set.edges.last)
        #expect(set.reaches(last - 1) && !set.reaches(last) && !set.reaches(start - 1))
        let later = try Self.set(every, now: last)
        for edge in later.edges {
            for now in [edge - 1, edge] {
                #expect(
                    try set.evaluate("f", for: EvaluationContext(now: now)).variant
                        == later.evaluate("f", for: EvaluationContext(now: now)).variant)
            }
        }
    }
}
