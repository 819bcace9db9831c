import CloudKitWire
import NephosAdmin
import NephosDomain
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosContent

/// docs/content.md, "Who sees content, and when": subscribers are notified of what appears to them, and of nothing else.
@Suite("Notices of content that appears", .serialized) struct NoticeTests {
    @Test(
        "People who can read it from then on are notified, and others are not",
        arguments: [
            ([], true), (["signedIn"], true), (["role:Admin"], false), (["fact:subscriber"], false),
            (["role:Testers", "fact:subscriber"], true),
        ] as [([String], Bool)])
    func appeared(access: [String], isNotified: Bool) async throws {
        let own = try await ContentCloud()
        try await own.addTesters()
        let courier = try watching(own, as: .person)
        var isTold: [Bool] = []
        try await appears("a", access: access, own) { isTold.append(try own.cloud.hasDeliveries(for: courier)) }
        isTold.append(try own.cloud.hasDeliveries(for: courier))
        #expect(isTold == [false, isNotified], "\(access)")
    }

    @Test("People who can write it saw it before, and are not notified when it appears")
    func writers() async throws {
        let own = try await ContentCloud()
        let courier = try watching(own, as: .person)
        var couriersOfWriter: [String] = []
        try await appears("a", own) { couriersOfWriter.append(try watching(own, as: .friend)) }
        let courierOfWriter = try #require(couriersOfWriter.first)
        #expect(try own.cloud.hasDeliveries(for: courier))
        #expect(try !own.cloud.hasDeliveries(for: courierOfWriter))
    }

    @Test("Content deleted during its period is announced as deleted, even after its end")
    func deleted() async throws {
        let own = try await ContentCloud()
        let courier = try watching(own, as: .person, firesOn: "delete")
        let end = SmallCloud.now + 60_000
        #expect(try own.save("a", ContentCloud.published(at: SmallCloud.now, until: end)) == "")
        let deletion = #"{"operationType":"forceDelete","record":{"recordName":"a"}}"#
        #expect(try own.answer(deletion, of: "a", as: .friend).hasSuffix("deleted"))
        own.now = end + 1
        try await own.cloud.delivering {
            try await withTaskExecutorPreference(OwnThreads.ofTests) {
                let isSettled = try settles(own, "b", ContentCloud.published(at: end))
                let isTold = try own.cloud.hasDeliveries(for: courier)
                #expect(isSettled && isTold)
            }
        }
    }

    /// Content is created, and then its time comes; everybody to be notified of either has been notified when this returns.
    ///
    /// - Parameter before: Called after it is created, before its time.
    private func appears(
        _ name: String, access: [String] = [], _ own: ContentCloud, before: @escaping () throws -> Void
    ) async throws {
        let start = SmallCloud.now + 60_000
        // Blocking code must not occupy the threads that deliver notifications.
        try await own.cloud.delivering {
            try await withTaskExecutorPreference(OwnThreads.ofTests) {
                let isTelling = try settles(own, name, ContentCloud.published(at: start, access: access))
                #expect(isTelling)
                try before()
                own.now = start
                await own.cloud.runDueEvents()
                let isSettled = try Deadline().waits(until: own.cloud.isSettled)
                #expect(isSettled)
            }
        }
    }

    /// Saves a record, and waits until all notifications are delivered. Deliveries start late: notifications of the first saves are
    /// delivered with those of the saves that are repeated every second.
    private func settles(_ own: ContentCloud, _ name: String, _ fields: String) throws -> Bool {
        let end = Deadline()
        while !end.hasPassed {
            #expect(try own.save(name, fields) == "")
            if try Deadline(seconds: 1).waits(until: own.cloud.isSettled) { return true }
        }
        return false
    }

    /// Path and query of the URL where a device polls, whose user subscribes to all content.
    private func watching(
        _ own: ContentCloud, as caller: SmallCloud.Caller, firesOn: String = "create"
    ) throws -> String {
        let subscription = """
            {"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"query",\
            "query":{"recordType":"Chibi"},"firesOn":["\(firesOn)"]}}]}
            """
        let answer = try own.database("subscriptions/modify", subscription, as: caller)
        #expect(answer.status == 200, "\(answer.text)")
        let device = try own.cloud.ask(
            "POST", "/device/1/\(SmallCloud.container)/development/tokens/create",
            #"{"apnsEnvironment":"development"}"#,
            as: caller)
        let url = try #require(try JSON(reading: device.body)["webcourierURL"].string)
        let start = try #require(url.firstRange(of: "/device/"))
        return String(url[start.lowerBound...])
    }
}
