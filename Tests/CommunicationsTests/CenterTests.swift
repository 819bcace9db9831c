import CloudKitWire
import Foundation
import KitTesting
import NephosTesting
import NephosTransport
import RequestTesting
import Testing

@testable import Communications

/// docs/communications.md, "Seen messages" and "Actions".
@Suite("Messages are shown once") struct CenterTests {
    private func stub(_ type: Commun.CommunType, identifier: Int = 3) -> Commun {
        Commun(title: ["en": "Hello"], content: ["en": "Text"], type: type, identifier: identifier)
    }

    private static let actions: [(action: CommunAction, said: String, taken: @Sendable (inout CommunActions) -> Void)] =
        [
            (.open(CommunCloud.url), "open http://cloud.example.org", { $0.open = nil }),
            (.update, "update", { $0.update = nil }),
            (.mail(to: "ada@example.org", subject: "Hi"), "mail ada@example.org Hi", { $0.mail = nil }),
            (.mail(to: nil, subject: nil), "mail us ", { $0.mail = nil }),
            (.purchase(product: "pro"), "purchase pro", { $0.purchase = nil }),
        ]

    private func type(_ action: CommunAction) -> Commun.CommunType {
        let (okay, go, no) = (["en": "OK"], ["en": "Go"], ["en": "No"])
        return switch action {
        case .open: .website(actionTitle: go, cancelTitle: no, action: action)
        case .mail: .email(actionTitle: go, cancelTitle: no, action: action)
        case .update:
            .newVersion(okayTitle: okay, actionTitle: go, cancelTitle: no, action: action, alreadyUpdated: false)
        case .purchase:
            .purchase(okayTitle: okay, actionTitle: go, cancelTitle: no, action: action, alreadyPurchased: false)
        }
    }

    @Test(
        "A button runs the app's code for its action, and a message with an unknown action is not shown (S2-9)",
        arguments: actions)
    func acted(
        action: CommunAction, said: String, taken: @Sendable (inout CommunActions) -> Void
    ) async throws {
        let getter = StubCommunGetter(stub(type(action)))
        let done = LockedBox<[String]>([])
        var actions = everything { text in done.withLock { $0.append(text) } }
        taken(&actions)
        let poor = CommunCenter(getter: getter, actions: actions, memory: CommunMemory(file: nil))
        #expect(try await poor.current() == nil && getter.reports.isEmpty)
        let center = CommunCenter(
            getter: getter, actions: everything { text in done.withLock { $0.append(text) } },
            memory: CommunMemory(file: nil))
        let commun = try #require(try await center.current())
        await center.shown(commun)
        #expect(done.value.isEmpty)
        await center.press(commun.buttons[0], of: commun)
        #expect(done.value == [said])
        #expect(getter.reports.map(\.event) == [.shown, .acted] && getter.reports.map(\.button) == [nil, .action])
        await center.press(commun.buttons[1], of: commun)
        #expect(done.value == [said] && getter.reports.last?.event == .dismissed)
        #expect(try await center.current() == nil)
    }

    @Test("The source of messages is injected: a stub serves screens, previews and tests (S2-24)")
    func injected() async throws {
        let cloud = try await CommunCloud()
        try cloud.save("anniversary", kinds[0].fields)
        let stubbed = StubCommunGetter([
            stub(.information(okayTitle: ["en": "OK"])), stub(.information(okayTitle: [:]), identifier: 4),
        ])
        // The same code with each getter.
        for (getter, ids) in [
            (stubbed as any CommunGetter, ["commun-3", "commun-4"]), (cloud.getter(), ["anniversary"]),
        ] {
            let center = CommunCenter(getter: getter, actions: CommunActions(), memory: CommunMemory(file: nil))
            var shown: [String] = []
            while let commun = try await center.current() {
                shown.append(commun.id)
                await center.shown(commun)
            }
            #expect(shown == ids)
        }
        stubbed.fail(with: CommunFault(.unreachable, "nobody answers"))
        #expect(await fault { _ = try await stubbed.getCommunication() }?.kind == .unreachable)
        stubbed.fail(with: nil)
        stubbed.set([stub(.information(okayTitle: [:]))])
        #expect(try await stubbed.getCommunication()?.identifier == 3)
    }

    private func center(_ cloud: CommunCloud, _ name: String, isSignedIn: Bool = false, honoring key: String? = nil)
        -> CommunCenter
    {
        CommunCenter(
            getter: cloud.getter(isSignedIn: isSignedIn), actions: everything(),
            memory: cloud.memory(name, honoring: key), question: question())
    }

    @Test("A message that a person has seen on one device is shown on none, and the next one follows (S2-18)")
    func onceForAPerson() async throws {
        let cloud = try await CommunCloud()
        try cloud.save("first", kinds[0].fields)
        let phone = center(cloud, "phone", isSignedIn: true)
        let commun = try #require(try await phone.current())
        await phone.shown(commun)
        #expect(try await center(cloud, "tablet", isSignedIn: true).current() == nil)
        #expect(try await center(cloud, "another").current()?.id == "first")
        try cloud.save("second", message("information", ["okay"], ["priority": 1]))
        #expect(try await center(cloud, "tablet", isSignedIn: true).current()?.id == "second")
        await phone.dismiss(commun)
        #expect(cloud.reports == 2)
    }

    @Test("A lost report is sent again later, and the message is not shown meanwhile, even after a restart")
    func lost() async throws {
        let cloud = try await CommunCloud()
        try cloud.save("first", kinds[0].fields)
        let before = center(cloud, "phone")
        let commun = try #require(try await before.current())
        cloud.transport.setDown(true)
        await before.shown(commun)
        await before.press(commun.buttons[0], of: commun)
        #expect(before.memory.reports.count == 2 && before.memory.problem == nil)
        #expect(await fault { _ = try await before.current() }?.kind == .unreachable)
        // A server that answers requests and loses reports.
        let deaf = CommunCenter(
            getter: ReportLosingGetter(commun: stub(.information(okayTitle: [:]))), actions: everything(),
            memory: cloud.memory("deaf"))
        let shown = try #require(try await deaf.current())
        await deaf.shown(shown)
        #expect(try await deaf.current() == nil && deaf.memory.reports.count == 1)

        cloud.transport.setDown(false)
        try cloud.save("second", message("information", ["okay"], ["priority": -1]))
        let after = center(cloud, "phone")
        #expect(after.memory.installation == before.memory.installation)
        #expect(try await after.current()?.id == "second")
        #expect(after.memory.reports.isEmpty && cloud.reports == 2)
    }

    @Test("A report that a server finally rejects is not sent again, and delays no others")
    func refused() async throws {
        let cloud = try await CommunCloud()
        try cloud.save("first", kinds[0].fields)
        let center = center(cloud, "phone")
        let absent = CommunPresentation(stub(.information(okayTitle: [:])), locale: nil)
        await center.shown(absent)
        #expect(center.memory.reports.isEmpty)
        #expect(try await center.current()?.id == "first")
    }

    @Test(
        "A message seen in the article's app is not shown again after the upgrade, and the server is notified (S2-18)",
        arguments: [false, true])
    func honored(isText: Bool) async throws {
        let cloud = try await CommunCloud()
        let key = "lastCommun \(UUID().uuidString)"
        if isText { UserDefaults.standard.set("3", forKey: key) } else { UserDefaults.standard.set(3, forKey: key) }
        defer { UserDefaults.standard.removeObject(forKey: key) }
        for (id, priority) in [("commun-2", 9), ("commun-3", 8), ("commun-4", 7), ("anniversary", 6)] {
            try cloud.save(id, message("information", ["okay"], ["priority": .number("\(priority)")]))
        }
        let upgraded = center(cloud, "phone", honoring: key)
        let commun = try #require(try await upgraded.current())
        #expect(commun.id == "commun-4" && cloud.reports == 2)
        #expect(try await center(cloud, "phone").current()?.id == "commun-4", "the server knows by now")
        await upgraded.shown(commun)
        #expect(try await upgraded.current()?.id == "anniversary")
        #expect(try await center(cloud, "another").current()?.id == "commun-2")
    }

    @Test("After a sign-out and forget(), the next person has seen nothing, also after a restart")
    func forgotten() async throws {
        let cloud = try await CommunCloud()
        try cloud.save("first", kinds[0].fields)
        let center = center(cloud, "phone")
        let before = center.memory.installation
        await center.shown(try #require(try await center.current()))
        #expect(try await center.current() == nil)
        center.memory.forget()
        #expect(center.memory.installation != before)
        #expect(try await center.current()?.id == "first")
        #expect(try await self.center(cloud, "phone").current()?.id == "first")
    }

    @Test("An unreadable or unwritable file is reported, and delays no message")
    func files() async throws {
        let cloud = try await CommunCloud()
        let file = cloud.file("broken")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("{".utf8).write(to: file)
        let broken = CommunMemory(file: file)
        #expect(broken.problem?.kind == .notStored && broken.problem?.message.contains("seen.json") == true)
        // It is kept under another name.
        #expect(try Data(contentsOf: file.appendingPathExtension("unreadable")) == Data("{".utf8))
        let next = CommunMemory(file: file)
        #expect(next.problem == nil && next.installation == broken.installation)
        let nowhere = CommunMemory(file: file.appending(path: "below/a/file.json"))
        #expect(nowhere.problem?.kind == .notStored)
        let getter = StubCommunGetter(stub(.information(okayTitle: [:])))
        let center = CommunCenter(getter: getter, actions: CommunActions(), memory: nowhere)
        let commun = try #require(try await center.current())
        await center.shown(commun)
        #expect(getter.reports.map(\.device) == [nowhere.installation] && !nowhere.installation.isEmpty)
        #expect(nowhere.hasSeen(stub(.information(okayTitle: [:]))))
    }

    @Test("What is too long to be read again is not written")
    func longMemory() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let file = URL(fileURLWithPath: folder.path).appending(path: "seen.json")
        let memory = CommunMemory(file: file)
        memory.note(CommunReport("short", .shown, device: "d"))
        #expect(memory.problem == nil)
        memory.note(CommunReport(String(repeating: "x", count: 1 << 20), .shown, device: "d"))
        #expect(memory.problem?.kind == .tooLarge)
        let next = CommunMemory(file: file)
        #expect(next.problem == nil && next.installation == memory.installation && next.reports.map(\.id) == ["short"])
    }

    @Test("A device's memory is limited: the oldest entries are removed first")
    func limits() throws {
        let memory = CommunMemory(file: nil)
        for number in 0..<1_050 { memory.note(CommunReport("m\(number)", .shown, device: "d")) }
        #expect(memory.reports.count == 200 && memory.reports.last?.id == "m1049")
        func seen(_ id: String) -> Bool {
            memory.hasSeen(Commun(id: id, title: [:], content: [:], type: .information(okayTitle: [:])))
        }
        #expect(!seen("m49") && seen("m50") && seen("m1049"))
    }
}

/// Returns a message whatever is reported, because reports are lost.
private struct ReportLosingGetter: CommunGetter {
    let commun: Commun
    var keepsSeen: Bool { true }

    func getCommunication(_ question: CommunQuestion) async throws(CommunFault) -> Commun? { commun }
    func tell(_ report: CommunReport) async throws(CommunFault) { throw CommunFault(.unreachable, "lost") }
}
