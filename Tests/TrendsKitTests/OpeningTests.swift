import CloudKit
import Foundation
import NephosTesting
import NephosTransport
import Testing
import Trends

/// As declared in UIKit.
private struct OpenURLOptionsKey: RawRepresentable, Hashable {
    let rawValue: String
    static let sourceApplication = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    static let openInPlace = OpenURLOptionsKey(rawValue: "UIApplicationOpenURLOptionsOpenInPlaceKey")
}

extension TrendsKitTests {
    /// docs/trends-kit.md, "Through a URL".
    @Suite("Opened by another app") struct OpeningTests {
        private static let nobody = CKContainer(identifier: "iCloud.test.nobody", configuration: NephosConfiguration())
        private let trends = CKTrends(
            recordTypes: ["Post"], container: Self.nobody, callers: ["CKTrends", "com.example.charts"])

        @Test(
            "A URL of a known caller triggers a refresh, and other URLs are left to the app",
            arguments: [
                ("cktrends://", true), ("CKTrends://anything", true), ("novena://cktrends", true),
                ("novena://refresh?from=com.example.charts", true), ("novena://com.lecoz.CKTrends/x", true),
                ("novena://prayer/12", false), ("novena://cktrends.example.com", false),
                ("novena://x?to=cktrends", false),
                ("https://example.com/cktrends", false),
            ])
        func urls(text: String, isCall: Bool) throws {
            #expect(trends.appWasOpened(from: try #require(URL(string: text))) == isCall)
        }

        @Test("An app delegate's options name the app that opened it, if the system provides that")
        func options() {
            for (source, isCall): (Any?, Bool) in [
                ("com.lecoz.CKTrends", true), ("CKTrends", true), ("com.example.other", false), (nil, false),
                (7, false),
            ] {
                var options: [OpenURLOptionsKey: Any] = [.openInPlace: true]
                options[.sourceApplication] = source
                #expect(trends.appWasOpened(options: options) == isCall)
            }
        }

        @Test("Every error is returned as a result, and never thrown into the app")
        func wrong() async throws {
            let url = try #require(URL(string: "cktrends://"))
            let result = await withCheckedContinuation { continuation in
                trends.appWasOpened(from: url) { continuation.resume(returning: $0) }
            }
            #expect(result.problem("Post") != nil && result.message != nil)
        }

        @Test("Calls during a refresh join it")
        func joined() async throws {
            let world = try World()
            let device = try world.device()
            try await device.make(2)
            let trends = device.trends()
            let second = LockedBox<Task<TrendsRefresh, Never>?>(nil)
            device.transport.onRequest { request throws(TransportFault) in
                guard request.path == "records/query" else { return }
                second.withLock { $0 = $0 ?? Task { await trends.refresh() } }
            }
            let first = await trends.refresh()
            let joined = await second.value?.value
            #expect(first.days("Post") == ["2027-03-20": 2] && joined?.days("Post") == ["2027-03-20": 2])
            try world.end()
        }

        @Test("The functions of the article's library are those of this one")
        func spellings() {
            let trends = CKTrends(
                appID: "unused", recordTypesToTrack: ["Post", "Post"], listsToTrack: ["Novenas", "names", "Left"],
                container: Self.nobody)
            #expect(trends.trackers == [.type("Post"), .list("Novenas.names"), .list(TrendsList("Left", ""))])
            #expect(CKTrends(appID: "", recordTypesToTrack: nil, container: Self.nobody).trackers.isEmpty)
        }
    }
}
