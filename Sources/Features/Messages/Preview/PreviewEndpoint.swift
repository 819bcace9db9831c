import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension Messages {
    /// `/nephos/1/CONTAINER/ENVIRONMENT/messages/preview?t=TOKEN`: a page with a button that shows the preview of a message,
    /// once. Programs that fetch links ahead, as chats do, do not press it.
    static func preview(_ host: FeatureHost) -> Endpoint {
        // Tokens are stored rather than signed; a wrong token gets the same response as a container that does not exist.
        var admission = EndpointCredential(isIssuedHere: { _, _ in false }, unknown: { _ in .recordNotFound })
        admission.alwaysWaits = true
        admission.page = { refusal, call in
            if case .recordNotFound = refusal { PreviewVisit.unknown.answer(to: call, status: 404) } else { nil }
        }
        return Endpoint(path, at: .container, methods: [.get, .head, .post], admitting: admission) { call, store in
            try PreviewVisit(host: host, call: call, store: store).answer()
        }
    }

    private static let path = "messages/preview"

    /// The target of a link, below a server's address.
    static func previewPath(_ tenant: Tenant, token: String) -> String {
        "/nephos/1/\(tenant.container)/\(tenant.environment.rawValue)/\(path)?t=\(token)"
    }
}

/// A request that follows a link to a preview.
private struct PreviewVisit: Sendable {
    let host: FeatureHost
    let call: Call
    let store: any TenantStore

    /// - Throws: ``Refusal/recordNotFound`` for an unknown token.
    func answer() throws -> Work {
        let now = call.request.arrivedAt
        let open = OpenPreviewLink(token: RequestQuery.value(of: "t", in: call.request.target) ?? "", now: now)
        guard let link = try store.rows(PreviewLinkRow.of(open.token)).first else { throw Refusal.recordNotFound }
        guard link.isOpen(at: now) else { return .answer(Self.over(link).answer(to: call, status: 410)) }
        guard call.request.method == .post else { return .answer(Self.door.answer(to: call)) }
        // A message that cannot be shown does not use the link up.
        guard let page = try page(of: link.message) else { return .answer(Self.gone.answer(to: call, status: 404)) }
        return .later { [host, call, store] done in
            host.runner.commit(open.reading, to: store, decide: open.decide) { result in
                switch result {
                case .success(true): done(.answer(page.answer(to: call)))
                case .success(false): done(.answer(Self.used.answer(to: call, status: 410)))
                case .failure(let error):
                    done(
                        host.runner.refusal(of: error, unknown: .recordNotFound).map { refusal in
                            .answer(Answers.refusal(refusal, call))
                        } ?? .failed(error))
                }
            }
        }
    }

    /// - Returns: nil if the message no longer exists.
    private func page(of message: Name) throws -> HTMLPage? {
        var set = ReadSet()
        set.records = [RecordKey(zone: .name(Messages.database, defaultZoneName), name: message)]
        let reading = try store.read(set)
        guard let settings = try reading.catalog.messages(), case .record(let record)? = reading.records.first,
            reading.catalog.type(record.type)?.row.name == settings.type
        else { return nil }
        let picture = try MessagePicture(record, store, host.files)
        do throws(MessageFailure) {
            return MessagePreview(try Message(record.name, fields: record.fields), settings, picture: picture).narrow
        } catch {
            return nil
        }
    }

    // MARK: Pages

    static let unknown = note("There is no preview here", "Is the link complete? Previews are removed after a day.")
    private static let used = note(
        "This link was already used", "A preview opens once. Ask the sender for another link.")
    private static let late = note(
        "This link has expired", "A preview can be opened for 15 minutes. Ask the sender for another link.")
    private static let gone = note("This message no longer exists", "It was deleted, or is no longer a valid message.")

    private static func over(_ link: PreviewLinkRow) -> HTMLPage { link.openedAt == 0 ? late : used }

    private static let door = HTMLPage(
        title: "Preview of a message",
        body: """
            <h1>Preview of a message</h1>
            <p>It opens once, on this device.</p>
            <form method="post"><button>Show it</button></form>
            """, style: "button { font: inherit; padding: .7em 1.5em }\n", permitting: [.forms])

    private static func note(_ title: String, _ text: String) -> HTMLPage {
        HTMLPage(title: title, body: "<h1>\(title)</h1>\n<p>\(text)</p>")
    }
}

extension HTMLPage {
    /// For one person only: neither cached nor indexed.
    fileprivate func answer(to call: Call, status: Int = 200) -> RawResponse {
        var answer = call.answer(self, status: status)
        answer.headers += [("Cache-Control", "no-store"), ("X-Robots-Tag", "noindex, nofollow")]
        return answer
    }
}
