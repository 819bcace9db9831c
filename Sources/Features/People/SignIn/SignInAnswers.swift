import NephosRunner

/// The fields of a form of this server's own pages.
struct SignInAnswers: Sendable {
    private let fields: FormFields

    /// nil unless the request is a form sent by a page of this server.
    init?(_ request: RawRequest, _ own: WebOrigin) {
        guard request.headers[.origin] == [own.text], let fields = FormFields(request) else { return nil }
        self.fields = fields
    }

    /// Empty if missing.
    func value(of name: StaticString) -> String { fields.value(of: name) }

    func bytes(of name: StaticString) -> [UInt8] { fields.bytes(of: name) }
}
