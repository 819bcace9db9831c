import NephosRunner
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/store-rules.md, a test for each of its rules: violations in each language, and texts without any.
@Suite("The rules of app stores (S2-31)") struct StoreRuleTests {
    private static func body(_ texts: [(String, String)]) -> [String: String] {
        ["body": "{" + texts.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"]
    }

    /// Texts in all languages of a rule violate it; texts that only sound alike do not.
    private func expect(
        _ number: Int, _ kind: MessageKind = .information, in bad: [(String, String)], but good: [(String, String)],
        with others: [Int] = []
    ) async throws {
        let own = try await MessageCloud()
        let broken = try own.brokenRules(Self.body(bad), kind)
        for (language, text) in bad {
            #expect(broken[language] == (others + [number]).sorted(), "\(language): \(text)")
        }
        #expect(try own.brokenRules(Self.body(good), kind) == [:])
    }

    @Test("1: finds a custom rating prompt, and ignores other mentions of stars and rates")
    func ratings() async throws {
        try await expect(
            1,
            in: [
                ("en", "You like it? Please rate us with 5 stars!"), ("es", "Por favor, deja una reseña."),
                ("de", "Bewerte unsere App, bitte."), ("fr", "Laissez un avis."), ("it", "Scrivi una recensione."),
                ("pt", "Avalie o nosso aplicativo."),
            ],
            but: [
                ("en", "See the stars tonight. The frame rate is better. Use it."), ("es", "Mira las estrellas."),
                ("de", "Die Sterne sind zu sehen."),
            ])
    }

    @Test("2: finds an incentive for a rating, and ignores a gift without one")
    func incentives() async throws {
        try await expect(
            2,
            in: [
                ("en", "Rate this and get 100 coins!"), ("es", "Deja una reseña. Tienes un regalo."),
                ("de", "Bewerte die App und erhalte ein Geschenk."), ("fr", "Laissez un avis, recevez un cadeau."),
                ("it", "Lascia una recensione e ricevi un premio."), ("pt", "Avalie o app e ganhe moedas."),
            ],
            but: [("en", "A gift for all: 100 coins."), ("es", "Un regalo para todos.")], with: [1])
    }

    @Test("3: finds code and hidden features, by words and by a button's target")
    func code() async throws {
        try await expect(
            3,
            in: [
                ("en", "Try the hidden feature."), ("es", "Hay una función oculta."),
                ("de", "Es hat ein geheimes Menü."), ("fr", "Il y a un menu secret."),
                ("it", "C'è una funzione segreta."), ("pt", "Tem um recurso oculto."),
            ],
            but: [("en", "A new feature is in the menu."), ("es", "Una función nueva.")])
        let own = try await MessageCloud()
        for (url, rules) in [
            ("https://example.org/patch.js?v=1", [3]), ("https://example.org/app.ipa", [3]),
            ("https://example.org/js", []), ("https://example.org/new.html", []),
        ] {
            #expect(try own.brokenRules(["url": url], .website)["en"] ?? [] == rules, "\(url)")
        }
    }

    @Test("4: finds sales outside the store, and ignores purchases through the store")
    func purchases() async throws {
        try await expect(
            4, .website,
            in: [
                ("en", "Subscribe on our page."), ("es", "Suscríbete en nuestra página."),
                ("de", "Kauf es auf unserer Seite."), ("fr", "Achetez sur notre page."),
                ("it", "Acquista sulla nostra pagina."), ("pt", "Compre na nossa página."),
            ],
            but: [("en", "Read what is new."), ("es", "Lee las novedades.")])
        let own = try await MessageCloud()
        #expect(try own.brokenRules(Self.body([("en", "Subscribe now."), ("es", "Suscríbete.")]), .purchase) == [:])
        #expect(try own.brokenRules(["url": "https://www.paypal.com/me"], .website)["en"] == [4])
        #expect(try own.brokenRules(["url": "https://notpaypal.com/me"], .website) == [:])
    }

    @Test("5: finds a price by its sign, code or word, and ignores other numbers")
    func prices() async throws {
        try await expect(
            5,
            in: [
                ("en", "Only USD4.99 a year."), ("es", "Son 5 € al año."), ("de", "Nur 5 Euro."),
                ("fr", "Cela fait EUR 5."),
                ("it", "Costa 5€."), ("pt", "São 20 reais."),
            ],
            but: [("en", "Version 2.5 has 5 themes. Read about the euro."), ("es", "Son 5 temas.")])
    }

    @Test("6: finds pressure to grant a permission, and ignores a mention of it")
    func permissions() async throws {
        try await expect(
            6,
            in: [
                ("en", "Please allow tracking."), ("es", "Activa las notificaciones."),
                ("de", "Bitte erlaube Mitteilungen."), ("fr", "Autorisez le suivi."),
                ("it", "Consenti le notifiche."), ("pt", "Permita as notificações."),
            ],
            but: [("en", "Notifications are quieter now."), ("es", "Las notificaciones son más discretas.")])
    }

    @Test("7: finds a request for personal data, unless the privacy policy is named")
    func personalData() async throws {
        try await expect(
            7, .email,
            in: [
                ("en", "Send us your phone number."), ("es", "Escribe tu correo electrónico."),
                ("de", "Abonniere mit deiner Mailadresse."), ("fr", "Donnez votre adresse mail."),
                ("it", "Scrivi il tuo indirizzo mail."), ("pt", "Escreva a sua senha."),
            ].filter { $0.0 != "de" },
            but: [
                ("en", "Send us your phone number. Our privacy policy says what for."), ("es", "Escríbenos."),
            ])
        let own = try await MessageCloud()
        #expect(try own.brokenRules(Self.body([("en", "a"), ("de", "Wie ist deine Telefonnummer?")]))["de"] == [7])
    }

    @Test("8: finds a meaningless label and a button without words")
    func accessibility() async throws {
        let own = try await MessageCloud()
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            for (label, isFound) in [("Picture", true), ("IMG_0042.png", true), ("A pigeon on a picture", false)] {
                let texts = #"{"en":"\#(label)","es":"Una paloma"}"#
                #expect(
                    try own.save("a", MessageCloud.complete(.information, ["imageLabel": texts]), picture: true) == "")
                let found = try own.lint("a").findings.filter { $0.rule == .store(8) }
                #expect(found.map(\.language) == (isFound ? ["en"] : []), "\(label)")
            }
        }
        #expect(try own.brokenRules(["buttons": #"{"okay":{"en":"👍","es":"Vale"}}"#]) == ["en": [8]])
    }

    @Test("Rules are hints: none prevents publication, and other languages are reported as unchecked")
    func hints() async throws {
        let own = try await MessageCloud()
        let fields = MessageCloud.complete(
            .information, ["body": #"{"en":"Rate us for $5!","es":"Hola","ja":"評価してください"}"#])
        #expect(try own.save("a", fields, at: own.now, until: own.now + 1_000) == "")
        let findings = try own.lint("a").findings
        #expect(findings.map(\.rule) == [.store(1), .store(5)] && findings.allSatisfy { $0.severity == .warning })
        #expect(try StoreRules.unread([own.message("a")])?.contains("Texts in ja are not checked") == true)
        #expect(StoreRules.all.map(\.number) == Array(1...8))
    }
}
