import NephosRunner

extension FormFields {
    /// nil if the request has no form.
    init?(_ request: RawRequest) {
        let type = request.headers.first(.contentType)?.prefix { $0 != ";" }.trimmed.lowercased()
        guard type == "application/x-www-form-urlencoded" else { return nil }
        self.init(request.body)
    }
}
