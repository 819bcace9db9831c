import Audience
import CloudKitWire
import NephosRunner
import NephosStorage

extension UseCase {
    static let previewMessage = UseCase(
        "message preview", .changes, abstract: "Show what people will see of a message.",
        discussion: """
            In each language of the settings, and where buttons depend on it before and after what the message asks for was done; drafts too. \
            Nobody has seen the message by that.

            With --page it is a page in a file that needs no server. With --link it is an address, below that of the server, which shows the \
            message on a phone: whoever opens it first within 15 minutes, and nobody after.

            Examples:

              nephos message preview iCloud.com.example.app anniversary --language es
              nephos message preview iCloud.com.example.app anniversary \\
                --page anniversary.html
              nephos message preview iCloud.com.example.app anniversary --link \\
                --server https://cloud.example.org
            """,
        .tenant, Input<String>.argument("id", help: "The message's id."),
        Input<String?>.option("language", help: "Only this one, such as es or pt-BR."),
        Input<MessagePreview.State?>.option(
            "state", help: "Only this one: open, or done for who has the version or has bought."),
        .previewForm
    ) { call, tenant, id, language, state, form in
        let desk = try MessageDesk(call, tenant)
        let record = try desk.record(id)
        let message: Message
        do throws(MessageFailure) { message = try Message(record.name, fields: record.fields) } catch {
            throw Failure("Record \(id) is no message that can be shown: \(error)")
        }
        if case .link(let server) = form {
            let token = try await desk.administration.createPreviewLink(to: record.name, in: tenant)
            return .text(server + Messages.previewPath(tenant, token: token))
                .noting("It opens once, within 15 minutes\(server.isEmpty ? ", below the server's address" : "").")
        }
        let preview = MessagePreview(
            message, desk.settings, picture: try MessagePicture(record, desk.store, try call.files),
            language: try language.map(tag), state: state)
        guard !preview.screens.isEmpty else {
            throw Failure("A message of kind \(message.kind.rawValue) looks the same in each state: leave --state out.")
        }
        if case .page(let path) = form { return .bytes(preview.grid.file, into: path) }
        return .text(preview.text)
    }

    private static func tag(_ text: String) throws(Failure) -> LanguageTag {
        guard let tag = LanguageTag(text) else {
            throw Failure("\(WireError.excerpt(text)) is no language such as en or pt-BR.", kind: .wrongUsage)
        }
        return tag
    }
}

/// The form of a preview.
private enum PreviewForm: Sendable {
    case text
    case page(String)
    /// A link below a server's address, or only its path if that is empty.
    case link(server: String)
}

extension Input where Value == PreviewForm {
    fileprivate static var previewForm: Input {
        Input(
            Input<String?>.option("page", valueName: "file", help: "A file for a page; one that is there is replaced."),
            Input<Bool>.flag("link", help: "Print a link for a phone, which opens once."),
            Input<String?>.option("server", valueName: "url", help: "The server's address, for a whole link.")
        ) { page, link, server throws(WrongInput) in
            guard !link || page == nil else { throw WrongInput("Say --page or --link.") }
            guard link || server == nil else { throw WrongInput("--server goes with --link.") }
            if let server, !["https://", "http://"].contains(where: server.hasPrefix) {
                throw WrongInput("--server is an address such as https://cloud.example.org.")
            }
            if link { return .link(server: String((server ?? "").reversed().drop { $0 == "/" }.reversed())) }
            return page.map { .page($0) } ?? .text
        }
    }
}
