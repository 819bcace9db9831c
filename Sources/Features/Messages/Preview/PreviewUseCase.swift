import Audience
import CloudKitWire
import NephosRunner
import NephosStorage

extension UseCase {
    static let previewMessage = UseCase(
        "message preview", .changes, abstract: "Show a message as people will see it.",
        discussion: """
            Shows it in each language of the settings and, if its buttons depend on that, before and after what it asks for is done. Drafts can be \
            previewed too. A preview does not count as seen.

            With --page it is written to a file, a web page that needs no server. With --link a link is printed, below the server's address, which \
            shows the message on a phone: once, to the first person who opens it within 15 minutes.

            Examples:

              nephos message preview iCloud.com.example.app anniversary --language es
              nephos message preview iCloud.com.example.app anniversary \\
                --page anniversary.html
              nephos message preview iCloud.com.example.app anniversary --link \\
                --server https://cloud.example.org
            """,
        .tenant, Input<String>.argument("id", help: "The message's id."),
        Input<String?>.option("language", help: "Show only this language, such as es or pt-BR."),
        Input<MessagePreview.State?>.option(
            "state", help: "Show only this state: open, or done (has the version, or has bought)."),
        .previewForm
    ) { call, tenant, id, language, state, form in
        let operations = try MessageOperations(call, tenant)
        let record = try operations.record(id)
        let message: Message
        do throws(MessageFailure) { message = try Message(record.name, fields: record.fields) } catch {
            throw Failure("Record \(id) is not a message that can be shown: \(error)")
        }
        if case .link(let server) = form {
            let token = try await operations.administration.createPreviewLink(to: record.name, in: tenant)
            return .text(server + Messages.previewPath(tenant, token: token))
                .noting(
                    "The link works once, for 15 minutes.\(server.isEmpty ? " Put your server's URL in front of it." : "")"
                )
        }
        let preview = MessagePreview(
            message, operations.settings, picture: try MessagePicture(record, operations.store, try call.files),
            language: try language.map(tag), state: state)
        guard !preview.screens.isEmpty else {
            throw Failure("A message of kind \(message.kind.rawValue) looks the same in each state: omit --state.")
        }
        if case .page(let path) = form { return .bytes(preview.grid.file, into: path) }
        return .text(preview.text)
    }

    private static func tag(_ text: String) throws(Failure) -> LanguageTag {
        guard let tag = LanguageTag(text) else {
            throw Failure("\(WireError.excerpt(text)) is not a language such as en or pt-BR.", kind: .wrongUsage)
        }
        return tag
    }
}

/// The form of a preview.
private enum PreviewForm: Sendable {
    case text
    case page(OutputFile)
    /// A link below a server's address, or only its path if that is empty.
    case link(server: String)
}

extension Input where Value == PreviewForm {
    fileprivate static var previewForm: Input {
        Input(
            Input<OutputFile?>.option(
                "page", valueName: "file", help: "A file for the page; an existing file is replaced."),
            Input<Bool>.flag("link", help: "Print a link for a phone, which opens once."),
            Input<String?>.option("server", valueName: "url", help: "The server's address, for a complete link.")
        ) { page, link, server throws(WrongInput) in
            guard !link || page == nil else { throw WrongInput("Pass --page or --link, not both.") }
            guard link || server == nil else { throw WrongInput("--server needs --link.") }
            if let server, !["https://", "http://"].contains(where: server.hasPrefix) {
                throw WrongInput("--server must be an address such as https://cloud.example.org.")
            }
            if link { return .link(server: String((server ?? "").reversed().drop { $0 == "/" }.reversed())) }
            return page.map { .page($0) } ?? .text
        }
    }
}
