extension MessagePreview {
    /// A phone for each screen, as boxes in a terminal.
    var text: String { screens.map { box($0) }.joined(separator: "\n") }

    private func box(_ screen: Screen) -> String {
        let view = screen.view
        var lines: [String] = []
        if let emoji = message.emoji, picture == nil {
            lines += [centered(emoji), ""]
        } else if let picture {
            lines += words(of: picture, label: view.label).wrapped(Phone.columns).map(centered) + [""]
        }
        lines += (view.title ?? "(no title)").harmless.wrapped(Phone.titleColumns).map(centered) + [""]
        lines += (view.body ?? "(no text)").harmless.wrapped(Phone.columns)
        for entry in view.list {
            let wrapped = entry.harmless.wrapped(Phone.columns - 2)
            lines += wrapped.enumerated().map { ($0.offset == 0 ? "• " : "  ") + $0.element }
        }
        for button in view.buttons {
            lines += ["", centered("[ \((button.title ?? button.role.placeholder).harmless) ]")]
        }
        let edge = String(repeating: "─", count: Phone.columns + 2)
        let rows = lines.flatMap { $0.wrapped(whole: Phone.columns) }.map { line in
            "│ \(line)\(String(repeating: " ", count: max(0, Phone.columns - line.columns))) │"
        }
        return (["\(screen.title)", "┌\(edge)┐"] + rows + ["└\(edge)┘", ""]).joined(separator: "\n")
    }

    private func words(of picture: MessagePicture, label: String?) -> String {
        let what = message.isDecorative ? "decoration" : label?.harmless ?? "no label"
        if case .absent(let reason) = picture { return "[picture: \(what); \(reason)]" }
        return "[picture: \(what)]"
    }

    private func centered(_ line: some StringProtocol) -> String {
        let line = line.harmless
        return String(repeating: " ", count: max(0, (Phone.columns - line.columns) / 2)) + line
    }
}

extension String {
    /// The text itself if it fits into a line including its leading spaces; otherwise wrapped.
    fileprivate func wrapped(whole columns: Int) -> [String] { self.columns <= columns ? [self] : wrapped(columns) }
}
