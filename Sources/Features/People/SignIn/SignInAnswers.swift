import NephosRunner

/// What a form of this server's own page says.
struct SignInAnswers: Sendable {
    private let fields: FormFields

    /// nil for what did not come from a form of this page: another page's, or no form at all.
    init?(_ request: RawRequest, _ own: WebOrigin) {
        guard request.headers[.origin] == [own.text], let fields = FormFields(request) else { return nil }
        self.fields = fields
    }

    /// Empty where it is missing.
    func value(of name: StaticString) -> String { fields.value(of: name) }

    func bytes(of name: StaticString) -> [UInt8] { fields.bytes(of: name) }
}
