import CloudKitWire
import Communications
import CommunicationsCloudKit
import Foundation
import KitTesting
import NephosTesting
import RequestTesting
import Testing

/// docs/communications.md, "CloudKit": the article's twelve fields.
@Suite("Messages through Apple's API alone") struct CloudKitTests {
    private func fields(_ type: String, _ identifier: Int, current: Int = 1, version: Int = 0) -> [String: JSON] {
        [
            "title": "en=New in 2.5|es=Novedades", "content": "en=1 = 1|es=Tiene %7C", "okayTitle": "en=OK|es=Vale",
            "actionTitle": "en=Go|es=Ir", "cancelTitle": "en=No Thanks|es=No, Gracias", "imageLabel": "en=A pigeon",
            "description": "for editors", "type": .string(type), "identifier": .number("\(identifier)"),
            "version": .number("\(version)"), "isCurrent": .number("\(current)"),
        ]
    }

    private static let kinds: [(type: String, action: CommunAction?, buttons: Int)] = [
        ("information", nil, 1), ("newVersion|2.5", .update, 2), ("newVersion|2.3.9", nil, 1),
        ("website|https://example.org/a%2Fb", URL(string: "https://example.org/a%2Fb").map { .open($0) }, 2),
        ("email", .mail(to: nil, subject: nil), 2),
        ("email|ada@example.org", .mail(to: "ada@example.org", subject: nil), 2),
        ("purchase|pro", .purchase(product: "pro"), 2),
    ]

    @Test("Each kind is read from its packed fields, with the buttons for this version", arguments: kinds)
    func read(type: String, action: CommunAction?, buttons: Int) async throws {
        let cloud = try await CommunCloud()
        try cloud.save("any", fields(type, 3), type: "Communs")
        let commun = try #require(try await cloud.records().getCommunication(question("es-MX", version: "2.4")))
        #expect(commun.identifier == 3 && commun.action == action && commun.title.count == 2)
        let shown = CommunPresentation(commun, locale: "es-MX")
        #expect(shown.title == "Novedades" && shown.body == "Tiene %7C" && shown.buttons.count == buttons)
        #expect(CommunPresentation(commun, locale: "de").body == "1 = 1")
    }

    @Test("The current record with the highest identifier that this kit understands is shown, once")
    func current() async throws {
        let cloud = try await CommunCloud()
        let getter = cloud.records()
        #expect(try await getter.getCommunication() == nil)
        try cloud.save("a", fields("information", 1, current: 0), type: "Communs")
        try cloud.save("b", fields("information", 2), type: "Communs")
        try cloud.save("c", fields("information", 3), type: "Communs")
        try cloud.save("d", fields("information", 4, version: 1), type: "Communs")
        try cloud.save("e", fields("survey|4", 5), type: "Communs")
        let center = CommunCenter(getter: getter, actions: CommunActions(), memory: cloud.memory("phone"))
        let commun = try #require(try await center.current())
        #expect(commun.id == "commun-3")
        await center.shown(commun)
        let again = CommunCenter(getter: getter, actions: CommunActions(), memory: cloud.memory("phone"))
        #expect(try await again.current() == nil && again.memory.problem == nil)
    }

    private static let broken: [(change: [String: JSON], said: String)] = [
        (["type": "newVersion"], "newVersion|2.5"), (["type": "newVersion|soon"], "newVersion|2.5"),
        (["type": "website"], "website|https://example.org/new"), (["type": "website|javascript:1"], "website|https"),
        (["type": "purchase"], "purchase|…"), (["title": "Hello"], "title"), (["content": ""], "content"),
    ]

    @Test("An incomplete record is reported with the missing field, and hides no other", arguments: broken)
    func unreadable(change: [String: JSON], said: String) async throws {
        let cloud = try await CommunCloud()
        try cloud.save("bad", fields("information", 7).merging(change) { $1 }, type: "Communs")
        let fault = await fault { _ = try await cloud.records().getCommunication() }
        #expect(fault?.kind == .unreadable && fault?.message.contains(said) ?? false, "\(String(describing: fault))")
        #expect(fault?.message.contains("message 7") ?? false)
        try cloud.save("good", fields("information", 6), type: "Communs")
        #expect(try await cloud.records().getCommunication()?.identifier == 6)
    }

    @Test("A CloudKit failure is reported with its cause")
    func fails() async throws {
        let cloud = try await CommunCloud()
        cloud.transport.setDown(true)
        let fault = await fault { _ = try await cloud.records().getCommunication() }
        #expect(fault?.kind == .unreachable && fault?.message.hasPrefix("CloudKit: ") ?? false)
    }
}
