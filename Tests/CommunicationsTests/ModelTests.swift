import Foundation
import Testing

@testable import Communications

/// docs/communications.md
@Suite("Messages as values") struct ModelTests {
    private static let titles = (okay: ["en": "OK"], action: ["en": "Go"], cancel: ["en": "No"])

    /// Each kind with its data, and its buttons.
    private static let kinds: [(type: Commun.CommunType, buttons: [CommunButton.Role])] = [
        (.information(okayTitle: titles.okay), [.okay]),
        (
            .website(
                actionTitle: titles.action, cancelTitle: titles.cancel,
                action: .open(URL(filePath: "/"))), [.action, .cancel]
        ),
        (
            .email(
                actionTitle: titles.action, cancelTitle: titles.cancel,
                action: .mail(to: "ada@example.org", subject: nil)), [.action, .cancel]
        ),
        (newVersion(alreadyUpdated: false), [.action, .cancel]), (newVersion(alreadyUpdated: true), [.okay]),
        (purchase(alreadyPurchased: false), [.action, .cancel]), (purchase(alreadyPurchased: true), [.okay]),
    ]

    private static func newVersion(alreadyUpdated: Bool) -> Commun.CommunType {
        .newVersion(
            okayTitle: titles.okay, actionTitle: titles.action, cancelTitle: titles.cancel, action: .update,
            alreadyUpdated: alreadyUpdated)
    }

    private static func purchase(alreadyPurchased: Bool) -> Commun.CommunType {
        .purchase(
            okayTitle: titles.okay, actionTitle: titles.action, cancelTitle: titles.cancel,
            action: .purchase(product: "pro"), alreadyPurchased: alreadyPurchased)
    }

    @Test(
        "A message is a structure with an enumeration of kinds, whose values define the buttons (S2-20)",
        arguments: kinds)
    func buttons(type: Commun.CommunType, buttons: [CommunButton.Role]) {
        let commun = Commun(title: ["en": "A title"], content: ["en": "A text"], type: type, identifier: 3)
        let shown = CommunPresentation(commun, locale: "en")
        #expect(shown.buttons.map(\.role) == buttons)
        #expect(commun.identifier == 3 && commun.id == "commun-3" && shown.id == "commun-3")
        // The request is on one button, which is the action.
        #expect(
            shown.buttons.filter { $0.action != nil }.map(\.role) == buttons.filter { $0 == .action && $0 != .okay })
        #expect(shown.action == commun.action)
    }

    private static let texts: [([String: String], String, String)] = [
        (["en": "a", "es": "b", "es-MX": "c"], "es-MX", "c"), (["en": "a", "es": "b", "es-MX": "c"], "es_MX", "c"),
        (["en": "a", "es": "b", "es-MX": "c"], "es-AR", "b"), (["en": "a", "es": "b"], "fr-FR", "a"),
        (["de": "d", "es": "b"], "fr", "d"), (["zh-Hant": "t", "zh": "s"], "zh-Hant-TW", "t"),
        (["en": "a"], "no language", "a"), ([:], "en", ""), (["es-MX": "c", "en": "a"], "es", "a"),
        // docs/audiences.md, "Locales"
        (["zh-Hant": "t", "zh-Hans": "s", "en": "a"], "zh-TW", "t"),
        (["zh-Hant": "t", "zh-Hans": "s", "en": "a"], "zh_HK", "t"),
        (["zh-Hant": "t", "zh-Hans": "s", "en": "a"], "zh-CN", "s"), (["no": "n", "en": "a"], "nb-NO", "n"),
        (["nb": "n", "en": "a"], "nn-NO", "n"), (["iw": "h", "en": "a"], "he-IL", "h"),
        (["id": "i", "en": "a"], "in", "i"), (["es": "b", "es-419": "l", "en": "a"], "es-MX", "l"),
        (["es-419": "l", "en": "a"], "es-ES", "a"), (["en": "a", "es": "b"], "en_US_POSIX", "a"),
    ]

    @Test(
        "A text is in the language and region, else in the language, else in the default, else in the first (S2-22)",
        arguments: texts)
    func language(texts: [String: String], locale: String, expected: String) {
        #expect(texts.text(for: locale, else: "en") == expected)
    }

    @Test("Each text falls back on its own, and the default language can be another")
    func languagesOfTexts() {
        let commun = Commun(
            title: ["en": "Hello", "es": "Hola"], image: .emoji("💃"),
            imageLabel: ["de": "Eine Tänzerin", "en": "A dancer"],
            content: ["en": "Text"], list: [["de": "Eins", "en": "One"]], type: .information(okayTitle: ["es": "Vale"]),
            identifier: 1)
        let spanish = CommunPresentation(commun, locale: "es-MX")
        #expect([spanish.title, spanish.body, spanish.buttons[0].title] == ["Hola", "Text", "Vale"])
        let german = CommunPresentation(commun, locale: "fr", defaultLanguage: "de")
        #expect(german.list == ["Eins"] && german.imageLabel == "Eine Tänzerin" && german.title == "Hello")
    }

    @Test("A picture without a label is decorative, and a label without a picture is ignored")
    func decoration() {
        func shown(_ image: CommunImage?, _ label: [String: String]) -> CommunPresentation {
            CommunPresentation(
                Commun(
                    title: [:], image: image, imageLabel: label, content: [:], type: .information(okayTitle: [:]),
                    identifier: 1), locale: "en")
        }
        #expect(shown(.emoji("🙏"), [:]).imageLabel == nil)
        #expect(shown(.emoji("🙏"), ["en": "Hands"]).imageLabel == "Hands")
        #expect(shown(nil, ["en": "Hands"]).imageLabel == nil)
    }

    @Test("Packed texts are decoded with their special characters")
    func packed() {
        #expect(PackedText.texts("en=No Thanks|es=No, Gracias") == ["en": "No Thanks", "es": "No, Gracias"])
        #expect(PackedText.texts("en=1 ＝ 1 ｜ 100 %3D|xx_=y|z|=q|de=") == ["en": "1 ＝ 1 ｜ 100 %3D", "de": ""])
        #expect(PackedText.texts("").isEmpty)
        #expect(PackedText.texts("en=a=b") == ["en": "a=b"])
        let (name, payload) = PackedText.kind("website|https://example.org/?a=b%7Cc|d")
        #expect(name == "website" && payload == "https://example.org/?a=b%7Cc|d")
    }
}
