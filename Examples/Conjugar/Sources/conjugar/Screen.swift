import Communications
import Foundation

/// Shows the current message in a terminal, and reports what the person did.
struct Screen {
    let center: CommunCenter

    init(_ settings: Settings) {
        center = CommunCenter(
            getter: settings.getter, actions: Self.actions(without: settings.lacks), memory: settings.memory,
            question: settings.question)
    }

    /// Code for each action; this app only prints what an app on a phone would do.
    private static func actions(without lacks: Set<String>) -> CommunActions {
        var actions = CommunActions()
        if !lacks.contains("open") { actions.open = { say("(opens \($0.absoluteString))") } }
        if !lacks.contains("update") { actions.update = { say("(shows the app in its store)") } }
        if !lacks.contains("mail") {
            actions.mail = { to, subject in say("(begins a mail to \(to ?? "us"): \(subject ?? ""))") }
        }
        if !lacks.contains("purchase") { actions.purchase = { say("(offers \($0))") } }
        return actions
    }

    /// Shows the message, and presses a button.
    ///
    /// - Parameter pressed: `action`, `cancel`, `okay` or `escape`; nil for only showing the message.
    func show(pressing pressed: String?) async throws {
        guard let commun = try await center.current() else {
            // By now a report that was lost earlier has been sent, too.
            return say("Nothing new.")
        }
        draw(commun)
        await center.shown(commun)
        guard let pressed else { return }
        if pressed == "escape" { return await center.dismiss(commun) }
        guard let button = commun.buttons.first(where: { $0.role.rawValue == pressed }) else {
            let roles = commun.buttons.map(\.role.rawValue).joined(separator: " or ")
            throw Complaint("There is no button \(pressed): press \(roles), or escape.")
        }
        say("> \(button.title.printable)")
        await center.press(button, of: commun)
    }

    private func draw(_ commun: CommunPresentation) {
        if case .emoji(let emoji) = commun.image {
            say(emoji + (commun.imageLabel.map { " (\($0.printable))" } ?? ""))
        }
        say(commun.title.printable)
        say(commun.body.printable)
        for entry in commun.list { say("- \(entry.printable)") }
        say(commun.buttons.map { "[\($0.title.printable)]" }.joined(separator: " "))
    }
}

extension String {
    /// Without characters that a terminal would interpret.
    fileprivate var printable: String {
        String(
            String.UnicodeScalarView(unicodeScalars.filter { $0 == "\n" || $0.properties.generalCategory != .control }))
    }
}
