import Audience
import CloudKitWire
import NephosRunner
import NephosStorage
import NephosTesting
import RequestTesting
import Testing

@testable import NephosMessages

/// docs/messages.md, "Preview".
@Suite("Previews of messages") struct PreviewTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    @Test("Each kind is shown in each language and in each state of its buttons; drafts too (S2-32)")
    func screens() async throws {
        let own = try await MessageCloud()
        for kind in MessageKind.allCases {
            #expect(try own.save("a", MessageCloud.complete(kind)) == "")
            let preview = try own.preview("a")
            let states =
                switch kind {
                case .information, .website, .email: [""]
                case .newVersion: ["not yet updated", "already updated"]
                case .purchase: ["not subscribed", "subscribed"]
                }
            let titles = ["en", "es"].flatMap { language in
                states.map { $0.isEmpty ? language : "\(language), \($0)" }
            }
            #expect(preview.screens.map(\.title) == titles)
            let page = String(decoding: preview.grid.file, as: UTF8.self)
            // In light and dark appearance.
            #expect(page.components("<article class=\"phone ") == 2 * titles.count)
            #expect(titles.allSatisfy { page.contains("<h2>\($0)</h2>") && preview.text.contains("\($0)\n┌") })
            #expect(page.contains("title (es)") && preview.text.contains("[ \(kind.roles[0].rawValue) (es) ]"))
        }
    }

    @Test("It shows what an app receives: texts, list, picture and buttons by state")
    func sameAsAnswers() async throws {
        let own = try await MessageCloud()
        let fields = MessageCloud.complete(.newVersion, ["emoji": "💃", "list": #"[{"en":"one","es":"uno"}]"#])
        #expect(try own.save("a", fields, at: own.now) == "")
        for (query, state) in [("version=2.4", MessagePreview.State.open), ("version=2.5", .done)] {
            let answer = try own.current("locale=es&\(query)")
            let message = try own.message("a")
            let preview = try MessagePreview(
                message, own.settings, picture: nil, language: LanguageTag("es"), state: state)
            let view = try #require(preview.screens.first?.view)
            #expect(view.title == answer["title"].string && view.body == answer["body"].string)
            #expect(view.list == answer["list"].elements.compactMap(\.string))
            #expect(view.buttons.map(\.role.rawValue) == answer["buttons"].elements.compactMap { $0["role"].string })
            #expect(view.buttons.map(\.title) == answer["buttons"].elements.map { $0["title"].string })
            #expect(preview.screens.count == 1 && preview.text.contains("💃") && preview.text.contains("• uno"))
        }
    }

    @Test("Markup in a text is escaped, even before a combining mark")
    func marks() {
        let text = "pic\"\u{301} onclick=x <\u{301}b>\u{301} &\u{301}"
        #expect(text.escaped.unicodeScalars.allSatisfy { !["\"", "<", ">"].contains($0) })
        let escaped = text.escaped.unicodeScalars
        #expect(escaped.starts(with: "pic&quot;".unicodeScalars) && escaped.count { $0 == "&" } == 4)
    }

    @Test("A message has a title, a picture, a text and one or two buttons; other buttons are rejected (S2-8)")
    func layout() async throws {
        let own = try await MessageCloud()
        for kind in MessageKind.allCases {
            #expect(try own.save("a", MessageCloud.complete(kind, ["emoji": "💃"])) == "")
            for screen in try own.preview("a").screens {
                let roles = screen.view.buttons.map(\.role)
                #expect(roles == [.okay] || roles == [.action, .cancel], "\(kind) \(screen.title)")
                #expect(screen.view.title != nil && screen.view.body != nil)
            }
            for role in MessageKind.Role.allCases where !kind.roles.contains(role) {
                let buttons = ["buttons": #"{"\#(role.rawValue)":{"en":"a"}}"#]
                #expect(try own.save("b", MessageCloud.complete(kind, buttons)).contains("has the buttons"))
            }
        }
    }

    @Test("Markup in texts is shown as text, and no message can control a terminal or leave its box")
    func markup() async throws {
        let own = try await MessageCloud()
        let evil = #"<script>alert(1)</script>\" onload=\"x"#
        let texts = #"{"en":"\#(evil)","es":"\u001b[2Jhola\u202e"}"#
        let fields = MessageCloud.complete(
            .information,
            [
                "title": texts, "body": texts, "list": "[\(texts)]", "buttons": "{\"okay\":\(texts)}", "emoji": "<b>",
                "imageLabel": texts,
            ])
        #expect(try own.save("a", fields) == "")
        let preview = try own.preview("a")
        for page in [preview.grid, preview.narrow] {
            let html = String(decoding: page.file, as: UTF8.self)
            #expect(!html.contains("<script") && !html.contains("<b>") && !html.contains("\" onload="))
            #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && html.contains("&lt;b&gt;"))
            #expect(!html.contains("\u{202E}") && !html.contains("\u{1B}"))
        }
        let text = preview.text
        #expect(text.contains("<script>alert(1)</script>") && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
        let widths = text.split(separator: "\n").filter { $0.hasPrefix("│") }.map(\.columns)
        #expect(Set(widths) == [Phone.columns + 4])
    }

    @Test("A page is self-contained: it runs no script, loads nothing, and embeds its picture once")
    func page() async throws {
        let own = try await MessageCloud()
        #expect(try own.save("a", MessageCloud.complete(.newVersion, ["imageLabel": #"{"en":"A pigeon"}"#])) == "")
        let page = String(decoding: try own.preview("a", picture: MessagePicture(Self.png)).grid.file, as: UTF8.self)
        #expect(page.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "))
        #expect(page.contains("img-src data:; ") && page.contains("form-action 'none'\">"))
        #expect(!page.contains("<script") && !page.contains("http://") && !page.contains("https://"))
        #expect(page.components("url(data:image/png;base64,\(Base64.text(Self.png)))") == 1)
        #expect(page.components("role=\"img\" aria-label=\"A pigeon\"") == 8)
    }

    @Test("A picture that is too large or invalid is reported as not shown, whatever its upload claimed")
    func pictures() async throws {
        #expect(MessagePicture(Self.png) == .embedded("data:image/png;base64,\(Base64.text(Self.png))"))
        #expect(MessagePicture(Array("<svg onload=alert(1)>".utf8)) == .absent("it is not a PNG, JPEG, GIF or WebP"))
        let own = try await MessageCloud()
        try await withTaskExecutorPreference(OwnThreads.ofTests) {
            let labelled = MessageCloud.complete(.information, ["imageLabel": #"{"en":"A pigeon","es":"Paloma"}"#])
            #expect(try own.save("a", labelled, picture: true) == "")
            let picture = try MessagePicture(own.record("a"), own.store, own.cloud.files)
            #expect(picture == .absent("it is not a PNG, JPEG, GIF or WebP"))
            let preview = try own.preview("a", picture: picture)
            #expect(preview.text.contains("[picture: A pigeon; it is not a PNG,"))
            let page = String(decoding: preview.grid.file, as: UTF8.self)
            #expect(page.contains("The picture is not shown: it is not a PNG, JPEG, GIF or WebP. Its label: A pigeon"))
        }
        #expect(try own.save("b", MessageCloud.complete()) == "")
        #expect(try MessagePicture(own.record("b"), own.store, own.cloud.files) == nil)
    }

    @Test("A draft's gaps are marked, and other languages fall back as they will for people")
    func gaps() async throws {
        let own = try await MessageCloud()
        let fields = ["title": #"{"en":"Hello","pt":"Olá"}"#, "buttons": "{}"]
        #expect(try own.save("a", MessageCloud.complete(.information, fields)) == "")
        let preview = try own.preview("a")
        #expect(preview.screens.map(\.title) == ["en", "es", "pt"])
        #expect(preview.screens.map(\.view.title) == ["Hello", "Hello", "Olá"])
        #expect(preview.text.contains("[ (okay has no text) ]"))
        let other = try MessagePreview(own.message("a"), own.settings, picture: nil, language: LanguageTag("de"))
        #expect(other.screens.map(\.view.title) == ["Hello"])
    }
}

extension String {
    /// The number of occurrences of another text.
    fileprivate func components(_ other: String) -> Int { ranges(of: other).count }
}
