import CloudKit
import Foundation
import NephosTesting
import Testing
import Trends

// The listings of docs/trends-kit.md, verbatim.

func makeTrends() -> CKTrends {
    CKTrends(recordTypes: ["Person", "Post"], lists: ["Novenas.names"])
}

func opened(by url: URL, _ trends: CKTrends, alert: @escaping @Sendable (String) -> Void) -> Bool {
    trends.appWasOpened(from: url) { result in
        if let message = result.message { alert(message) }
    }
}

func show(_ trends: CKTrends) async -> [String: Int] {
    let result = await trends.refresh()
    let posts = result.figures?.series.first { $0.tracker == .type("Post") }
    return posts?.days ?? [:]
}

func send(_ figures: TrendsFigures, to server: URL, token: String) async throws -> Bool {
    let report = TrendsReport(figures, source: "iCloud.com.example.app")
    let receiver = TrendsReceiver(server: server, container: "iCloud.com.example.app", token: token)
    return try await receiver.send(report, by: post) == 200
}

private func post(_ request: TrendsRequest) async throws -> Int { 200 }

extension TrendsKitTests {
    /// docs/trends-kit.md
    @Suite("The page about the kit") struct DocumentedTests {
        private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

        private func blocks(_ language: String) throws -> [String] {
            let page = try String(contentsOf: Self.folder.appending(path: "../../docs/trends-kit.md"), encoding: .utf8)
            return page.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
                $0.components(separatedBy: "```").first
            }
        }

        @Test("Each line of code on the page is in a file that compiles, and works as described")
        func code() async throws {
            let file = try String(contentsOf: Self.folder.appending(path: "DocumentedTests.swift"), encoding: .utf8)
            let compiled = Set(file.split(separator: "\n"))
            let shown = try blocks("swift")
            #expect(shown.count == 3)
            for line in shown.joined().split(separator: "\n") { #expect(compiled.contains(line), "\(line)") }

            let world = try World()
            let device = try world.device()
            try await device.make(4)
            #expect(await show(device.trends()) == ["2027-03-20": 4])
            let figures = try await device.trends().figures()
            #expect(try await send(figures, to: URL(filePath: "/"), token: "x"))
            try world.end()
        }

        @Test("The schema on the page is all that production needs; without it the kit reports what is missing")
        func schema() async throws {
            let post = TestContainer.recordType("Post", World.indexed)
            let without = try World(schema: post, environment: "production")
            let result = await (try without.device()).trends().refresh()
            #expect(result.problem("Post")?.kind == .noPlaceForCounts, "\(result.message ?? "")")
            try without.end()

            let shown = try #require(try blocks("schema").first)
            let with = try World(schema: post + shown, environment: "production")
            let device = try with.device()
            try await device.make(4) { $0["names"] = ["a"] }
            let list = TrendsList("Post", "names", of: .all)
            for _ in 0..<2 { #expect(await device.trends(lists: [list]).refresh().days("Post") == ["2027-03-20": 4]) }
            with.clock.advance(hours: 24)
            try await device.make(1) { $0["names"] = ["a"] }
            let all = await device.trends(lists: [list]).refresh()
            #expect(all.isComplete && all.figures?.deltas == ["Post.names": 1], "\(all.message ?? "")")
            try with.end()
        }
    }
}
