import CloudKitWire
import NephosRunner

extension MessagePreview {
    /// For a file: a phone for each screen, light and dark next to each other.
    var grid: HTMLPage {
        let phones = screens.map { screen in
            let both = ["light", "dark"].map { phone(screen, "phone \($0)") }.joined()
            return "<section><h2>\(screen.title.escaped)</h2><div class=\"pair\">\(both)</div></section>"
        }
        return page("<h1>\(name)</h1>\n<main class=\"grid\">\(phones.joined(separator: "\n"))</main>")
    }

    /// For a phone: one screen at a time, light or dark like the phone.
    var narrow: HTMLPage {
        let screens = screens.enumerated().map { place, screen in
            "<details name=\"screen\"\(place == 0 ? " open" : "")><summary>\(screen.title.escaped)</summary>"
                + phone(screen, "phone") + "</details>"
        }
        return page("<p>\(name); it does not count as seen</p>\n<main>\(screens.joined(separator: "\n"))</main>")
    }

    private var name: String { "Preview of the message \(message.id.text.harmless.escaped)" }

    private func page(_ body: String) -> HTMLPage {
        HTMLPage(
            title: "Preview of \(message.id.text.harmless)", body: body, style: Self.style + pictureStyle,
            permitting: [.pictures])
    }

    private func phone(_ screen: Screen, _ style: String) -> String {
        let view = screen.view
        var html = "<article class=\"\(style)\" lang=\"\(view.language?.escaped ?? "en")\">\(image(view))"
        html += "<h3 dir=\"auto\">\((view.title ?? "(no title)").shown)</h3>"
        html += "<p dir=\"auto\">\((view.body ?? "(no text)").shown)</p>"
        if !view.list.isEmpty {
            html += "<ul>\(view.list.map { "<li dir=\"auto\">\($0.shown)</li>" }.joined())</ul>"
        }
        for button in view.buttons {
            html +=
                "<span class=\"button \(button.role.rawValue)\" dir=\"auto\">"
                + "\((button.title ?? button.role.placeholder).shown)</span>"
        }
        return html + "</article>"
    }

    private func image(_ view: MessageView) -> String {
        let label = message.isDecorative ? nil : view.label
        let role = label.map { "role=\"img\" aria-label=\"\($0.shown)\"" } ?? "aria-hidden=\"true\""
        return switch picture {
        case .embedded?: "<div class=\"picture\" \(role)></div>"
        case .absent(let reason)?:
            "<p class=\"absent\">The picture is not shown: \(reason.escaped). Its label: \((label ?? "none").shown)</p>"
        case nil: message.emoji.map { "<div class=\"emoji\" \(role)>\($0.shown)</div>" } ?? ""
        }
    }

    /// Embeds the picture once, however many phones show it.
    private var pictureStyle: String {
        guard case .embedded(let url)? = picture else { return "" }
        return ".picture { background-image: url(\(url)) }\n"
    }

    private static let style = """
        body { max-width: 100em }
        .grid { display: flex; flex-wrap: wrap; gap: 2em }
        .grid h2 { font-size: 1em; margin: 0 0 .5em }
        .pair { display: flex; flex-wrap: wrap; gap: 1em }
        .light { --ink: #1c1c1e; --paper: #fff; --soft: #f1f1f4; --line: #d4d4d8; --link: #0a58ca }
        .dark { --ink: #e6e6e9; --paper: #151518; --soft: #242429; --line: #3d3d44; --link: #8ab4f8 }
        .phone { box-sizing: border-box; width: min(375px, 100%); min-height: 24em; padding: 2em 1em; color: var(--ink);
          background: var(--paper); border: 1px solid var(--line); border-radius: 2em; display: flex;
          flex-direction: column; gap: .8em }
        .phone > * { margin: 0 }
        .phone h3 { font-size: 24px; text-align: center }
        .phone p, .phone li { white-space: pre-wrap }
        .phone .absent { background: var(--soft); border-radius: .5em; padding: .5em; font-size: .85em }
        .picture { height: 160px; background: center / contain no-repeat }
        .emoji { font-size: 80px; line-height: 1.2; text-align: center }
        .button { padding: .7em 1em; border-radius: .8em; text-align: center; background: var(--soft); color: var(--link) }
        .button.action, .button.okay { background: var(--link); color: var(--paper); font-weight: 600 }
        summary { padding: .7em 0; cursor: pointer }
        details .phone { margin: 0 auto }

        """
}

extension String {
    /// As HTML text: markup is shown as written.
    fileprivate var shown: String { harmless.escaped }
}
