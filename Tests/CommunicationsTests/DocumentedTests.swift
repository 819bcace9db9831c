import CloudKit
import Communications
import CommunicationsCloudKit
import Foundation
import Testing

// The listings of docs/communications.md, verbatim.

func show(_ what: String) async { print(what) }

func openMessages(server: URL, token: String) -> CommunCenter {
    let getter = HTTPCommunGetter(
        server: server, container: "iCloud.com.example.app", environment: "production",
        credentials: CommunCredentials(token: token))
    var actions = CommunActions()
    actions.open = { url in await show("the page \(url)") }
    actions.update = { await show("the app in its store") }
    actions.mail = { to, subject in await show("a mail to \(to ?? "us@example.org"): \(subject ?? "")") }
    return CommunCenter(getter: getter, actions: actions)
}

func atLaunch(_ center: CommunCenter) async throws {
    guard let commun = try await center.current() else { return }
    print(commun.title, commun.body, commun.list)
    await center.shown(commun)
    let button = commun.buttons[0]
    print(button.title)
    await center.press(button, of: commun)
}

func everybody(hasSubscribed: Bool) -> CommunQuestion {
    var audience = CommunAudience.current
    audience.device = "iPad"
    return CommunQuestion(audience, state: hasSubscribed ? ["subscribed"] : [])
}

func openAfterUpgrade(_ getter: any CommunGetter, _ actions: CommunActions) -> CommunCenter {
    let memory = CommunMemory(honoring: "lastCommunIdentifierShown")
    return CommunCenter(getter: getter, actions: actions, memory: memory)
}

func preview() -> CommunCenter {
    let commun = Commun(
        title: ["en": "New in 2.5", "es": "Novedades"], image: .emoji("💃"), content: ["en": "It has flags."],
        type: .newVersion(
            okayTitle: ["en": "Have it"], actionTitle: ["en": "Update"], cancelTitle: ["en": "No thanks"],
            action: .update, alreadyUpdated: false),
        identifier: 3)
    var actions = CommunActions()
    actions.update = {}
    return CommunCenter(getter: StubCommunGetter(commun), actions: actions, memory: CommunMemory(file: nil))
}

func openWithCloudKit(_ container: CKContainer, _ actions: CommunActions) -> CommunCenter {
    CommunCenter(
        getter: CloudCommunGetter(container: container, recordType: "Communs"), actions: actions,
        memory: CommunMemory(honoring: "lastCommunIdentifierShown"))
}

/// docs/communications.md
@Suite("The page about messages in apps") struct DocumentedTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    @Test("Each line of code on the page is in a file that compiles")
    func code() throws {
        let page = try String(contentsOf: Self.folder.appending(path: "../../docs/communications.md"), encoding: .utf8)
        let file = try String(contentsOf: Self.folder.appending(path: "DocumentedTests.swift"), encoding: .utf8)
        let compiled = Set(file.split(separator: "\n"))
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 5)
        for line in blocks.joined().split(separator: "\n") { #expect(compiled.contains(line), "\(line)") }
    }

    @Test("The message shown as a preview has all the languages that it names")
    func shown() async throws {
        let center = preview()
        await center.set(everybody(hasSubscribed: true))
        #expect(await center.question.state == ["subscribed"])
        let commun = try #require(try await center.current())
        #expect(commun.buttons.map(\.title) == ["Update", "No thanks"])
        try await atLaunch(center)
        #expect(try await center.current() == nil)
    }
}
