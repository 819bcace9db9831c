import CloudKitWire
import Foundation
import KitTesting
import NephosTesting
import NephosTransport
import RequestTesting
import Testing

@testable import Communications

/// docs/communications.md, against a server in this process.
@Suite("Messages at a server") struct ServerTests {
    @Test("Each kind arrives in the user's language, with its own action", arguments: 0..<5)
    func kinds(place: Int) async throws {
        let cloud = try await CommunCloud()
        let (fields, action) = CommunicationsTests.kinds[place]
        try cloud.save("m", fields)
        let commun = try #require(try await cloud.getter().getCommunication(question()))
        #expect(commun.id == "m" && commun.identifier == nil && commun.action == action)
        #expect(commun.title == ["es": "title (es)"] && commun.content == ["es": "body (es)"])
        let shown = CommunPresentation(commun, locale: "es-MX")
        let roles: [CommunButton.Role] = action == nil ? [.okay] : [.action, .cancel]
        #expect(shown.buttons.map(\.role) == roles)
        #expect(shown.buttons.map(\.title) == roles.map { "\($0.rawValue) (es)" })
    }

    private static let good: JSON = [
        "message": [
            "schema": 0, "id": "m", "kind": "website", "language": "en", "title": "t", "body": "b", "list": ["x"],
            "image": ["url": "https://cloud.test/x", "label": "l"], "until": 1_800_000_000_000, "round": 2,
            "buttons": [
                ["role": "action", "title": "a", "action": "open", "url": "https://example.org"],
                ["role": "cancel", "title": "c"],
            ],
        ]
    ]

    private func answered(_ body: String, server: String = "https://cloud.test") async throws(CommunFault) -> Commun? {
        let transport = ClosureTransport { _ in TransportAnswer(status: 200, body: Data(body.utf8)) }
        let getter = HTTPCommunGetter(
            server: URL(string: server) ?? URL(fileURLWithPath: "/"), container: "c", environment: "production",
            credentials: .init(token: "t"), transport: transport)
        return try await getter.getCommunication(question())
    }

    /// docs/client.md, "What is accepted from a server".
    @Test("Whatever a server responds, there is a message, none, or a fault; and no file of the device is its picture")
    func hostile() async throws {
        #expect(try await answered(Self.good.description)?.image == .url(#require(URL(string: "https://cloud.test/x"))))
        for body in HostileBodies.all(insteadOf: Self.good) {
            do throws(CommunFault) {
                guard let commun = try await answered(body) else { continue }
                if case .url(let url) = commun.image { #expect(url.scheme == "https", "\(body.prefix(300))") }
                if case .open(let url) = commun.action { #expect(["http", "https"].contains(url.scheme)) }
                #expect("\(CommunPresentation(commun, locale: "en"))".count > 1)
            } catch {
                #expect(error.kind == .unreadable, "\(body.prefix(300))")
            }
        }
        var http = Self.good
        http[at: [.member("message"), .member("image"), .member("url")]] = "http://cloud.test/x"
        #expect(try await answered(http.description)?.image == nil)
        #expect(try await answered(http.description, server: "http://cloud.test")?.image != nil)
    }

    @Test("A message with an ID that no record can have is unreadable")
    func longIDs() async throws {
        for (count, isRead) in [(255, true), (256, false)] {
            var body = Self.good
            body[at: [.member("message"), .member("id")]] = .string(String(repeating: "x", count: count))
            let text = body.description
            let fault = await fault { _ = try await answered(text) }
            #expect((fault == nil) == isRead && (isRead || fault?.kind == .unreadable))
        }
    }

    @Test("A user who has the version, or the purchase, gets one button (S2-21)")
    func done() async throws {
        let cloud = try await CommunCloud()
        try cloud.save("m", CommunicationsTests.kinds[2].fields)
        func roles(_ question: CommunQuestion) async throws -> [CommunButton.Role] {
            let commun = try #require(try await cloud.getter().getCommunication(question))
            return CommunPresentation(commun, locale: nil).buttons.map(\.role)
        }
        #expect(try await roles(question(version: "2.4.9")) == [.action, .cancel])
        #expect(try await roles(question(version: "2.10")) == [.okay])
        try cloud.save("m", CommunicationsTests.kinds[4].fields)
        #expect(try await roles(question()) == [.action, .cancel])
        #expect(try await roles(question(state: ["subscribed", "x"])) == [.okay])
    }

    @Test("Lists, an emoji with its label, the end and the slot arrive as the server sent them")
    func more() async throws {
        let cloud = try await CommunCloud()
        var fields = CommunicationsTests.kinds[0].fields
        fields["list"] = #"[{"en":"I-9","es":"I-9 (es)"},{"en":"W-4","es":"W-4"}]"#
        (fields["emoji"], fields["imageLabel"]) = ("💃", #"{"en":"A dancer","es":"Una bailarina"}"#)
        try cloud.save("main", fields)
        try cloud.save("side", message("information", ["okay"], ["slot": "side", "emoji": "🙏"]))
        var getter = cloud.getter()
        let shown = CommunPresentation(try #require(try await getter.getCommunication(question())), locale: nil)
        #expect(shown.list == ["I-9 (es)", "W-4"] && shown.image == .emoji("💃") && shown.imageLabel == "Una bailarina")
        getter.slot = "side"
        let side = CommunPresentation(try #require(try await getter.getCommunication(question())), locale: nil)
        #expect(side.id == "side" && side.image == .emoji("🙏") && side.imageLabel == nil)
        #expect(try await getter.getCommunication()?.id == "side")
    }

    @Test("A rejection or an unusable response is a fault with advice, and without the token")
    func faults() async throws {
        let cloud = try await CommunCloud()
        var getter = cloud.getter()
        getter.slot = "nowhere"
        let refused = await fault { _ = try await getter.getCommunication(question()) }
        #expect(
            refused?.kind == .refused && refused?.message.contains("main, side") ?? false,
            "\(String(describing: refused))")
        #expect(refused?.isFinal == true)
        cloud.transport.setDown(true)
        let lost = await fault { _ = try await cloud.getter().getCommunication(question()) }
        #expect(lost?.kind == .unreachable && lost?.isFinal == false)
        let wrong = HTTPCommunGetter(
            server: CommunCloud.url, container: SmallCloud.container, environment: "development",
            credentials: CommunCredentials(token: "hunter2"), transport: CloudTransport(cloud.cloud))
        let denied = await fault { _ = try await wrong.getCommunication(question()) }
        #expect(
            denied?.message.contains("token") == true && denied?.message.contains("hunter2") == false,
            "\(String(describing: denied))")
        #expect(denied?.isFinal == false)
    }

    /// Possible responses of other servers.
    private static let strange: [(name: String, answer: String, isRead: Bool)] = [
        ("none", #"{"message":null,"changesAt":null}"#, true),
        (
            "a higher schema, whatever its shape", #"{"message":{"schema":1,"kind":"information","buttons":{"a":1}}}"#,
            true
        ),
        ("an unknown kind", #"{"message":{"schema":0,"kind":"survey","questions":[1]}}"#, true),
        ("an unknown role", answer(#"[{"role":"later","title":"Later"}]"#, kind: "information"), true),
        ("an unknown action", answer(#"[{"role":"action","title":"Go","action":"format"}]"#), true),
        ("an action that is another kind's", answer(#"[{"role":"action","title":"Go","action":"update"}]"#), true),
        ("no parameter", answer(#"[{"role":"action","title":"Go","action":"open"}]"#), true),
        ("a script", answer(#"[{"role":"action","title":"Go","action":"open","url":"javascript:alert(1)"}]"#), true),
        ("a file", answer(#"[{"role":"action","title":"Go","action":"open","url":"file:///etc/passwd"}]"#), true),
        ("no button", answer("[]"), true), ("no answer", "{}", false), ("no JSON", "<html>", false),
        ("no buttons at all", #"{"message":{"schema":0,"kind":"website","id":"m"}}"#, false),
    ]

    private static func answer(_ buttons: String, kind: String = "website") -> String {
        #"{"message":{"id":"m","kind":"\#(kind)","schema":0,"title":"A","body":"B","buttons":\#(buttons)}}"#
    }

    @Test(
        "A newer schema, kind, button or action hides a message, and an invalid response is a fault (S2-19)",
        arguments: strange)
    func passedOver(name: String, answer: String, isRead: Bool) async throws {
        let getter = HTTPCommunGetter(
            server: CommunCloud.url, container: "c", environment: "production",
            credentials: CommunCredentials(token: "t"),
            transport: ClosureTransport { _ throws(TransportFault) in
                TransportAnswer(status: 200, body: Data(answer.utf8))
            })
        let center = CommunCenter(getter: getter, actions: everything(), memory: CommunMemory(file: nil))
        if isRead {
            #expect(try await center.current() == nil)
        } else {
            #expect(await fault { _ = try await center.current() }?.kind == .unreadable)
        }
    }
}

/// The error of `body`; nil if it throws none.
func fault(_ body: () async throws -> Void) async -> CommunFault? {
    do {
        try await body()
        return nil
    } catch let fault as CommunFault {
        return fault
    } catch {
        Issue.record(error)
        return nil
    }
}

/// An app that implements every action, and reports what it did.
func everything(_ done: @escaping @Sendable (String) -> Void = { _ in }) -> CommunActions {
    var actions = CommunActions()
    actions.open = { done("open \($0.absoluteString)") }
    actions.update = { done("update") }
    actions.mail = { done("mail \($0 ?? "us") \($1 ?? "")") }
    actions.purchase = { done("purchase \($0)") }
    return actions
}
