import CloudKit
import Foundation
import NephosTesting
import Testing
import Trends

extension TrendsKitTests {
    /// docs/trends-kit.md, "Sending counts to a server".
    @Suite("Reports") struct ReportTests {
        private let receiver = TrendsReceiver(
            server: URL(string: "https://nephos.example.com") ?? URL(filePath: "/"),
            container: "iCloud.com.example.app",
            token: "secret")

        @Test("A report has what was counted, in the server's format, with the token in its place")
        func json() async throws {
            let world = try World()
            let device = try world.device()
            try await device.make(3)
            try await device.make(1, "Novenas") { $0["names"] = ["a", "b"] }
            world.clock.advance(hours: 24)
            try await device.make(1)
            let refresh = await device.trends(lists: ["Novenas.names"], zone: "Europe/Rome").refresh()
            let report = TrendsReport(try #require(refresh.figures), source: "iCloud.com.example.old")
            let request = try #require(try receiver.requests(for: report).first)
            #expect(
                request.url.absoluteString
                    == "https://nephos.example.com/nephos/1/iCloud.com.example.app/production/trends/import")
            #expect(request.method == "POST")
            #expect(request.headers == ["Authorization": "Bearer secret", "Content-Type": "application/json"])
            #expect(
                try JSON(reading: Array(request.body)) == [
                    "source": "iCloud.com.example.old", "zone": "Europe/Rome",
                    "series": [
                        [
                            "type": "Post", "list": nil, "live": nil,
                            "days": [["day": "2027-03-20", "created": 3], ["day": "2027-03-21", "created": 1]],
                        ],
                        [
                            "type": "Novenas", "list": "names", "live": nil,
                            "days": [["day": "2027-03-21", "total": 2]],
                        ],
                    ],
                ])
            let since = TrendsReport(try #require(refresh.figures), source: "x", since: "2027-03-21")
            #expect(since.series.map(\.days.count) == [1, 1])
            try world.end()
        }

        @Test("A day of a type without a record is reported as 0; a day on which a list was not counted is left out")
        func empty() async throws {
            let world = try World()
            let device = try world.device()
            try await device.make(3)
            try await device.make(1, "Novenas") { $0["names"] = ["a", "b"] }
            world.clock.advance(hours: 72)
            let refresh = await device.trends(lists: ["Novenas.names"], zone: "Europe/Rome").refresh()
            let figures = try #require(refresh.figures)
            let report = TrendsReport(figures, source: "x")
            #expect(
                report.series.map { $0.days.map(\.day) } == [
                    ["2027-03-20", "2027-03-21", "2027-03-22", "2027-03-23"], ["2027-03-23"],
                ])
            #expect(report.series.first?.days.map(\.count) == [3, 0, 0, 0])
            #expect(TrendsReport(figures, source: "x", since: "2027-03-22").series.map(\.days.count) == [2, 1])
            try world.end()
        }

        @Test("A long report is sent in several requests without omissions, and the first rejection ends it")
        func parts() async throws {
            let days = { (count: Int) in
                (0..<count).map { TrendsReport.Day(day: "\(1_000 + $0)-01-01", count: $0) }
            }
            let report = TrendsReport(
                source: "x", zone: "UTC",
                series: [
                    TrendsReport.Series(type: "A", list: nil, days: days(4_999)),
                    TrendsReport.Series(type: "B", list: nil, days: days(0)),
                    TrendsReport.Series(type: "C", list: "names", days: days(5_002)),
                ])
            let sent = LockedBox<[[Int]]>([])
            let status = try await receiver.send(report) { request in
                let json = try JSON(reading: Array(request.body))
                sent.withLock { $0.append(json["series"].elements.map { $0["days"].elements.count }) }
                return 204
            }
            #expect(status == 200 && sent.value == [[4_999, 1], [5_000], [1]])
            let tries = LockedBox(0)
            let refused = try await receiver.send(report) { _ in
                tries.withLock { $0 += 1 }
                return 401
            }
            #expect(refused == 401 && tries.value == 1)
            let nothing = TrendsReport(source: "x", zone: "UTC", series: [])
            #expect(try receiver.requests(for: nothing).isEmpty)
        }
    }
}
