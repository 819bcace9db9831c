import CloudKitWire
import NephosRunner

/// The fields of a form as browsers send it (`application/x-www-form-urlencoded`).
struct FormFields: Sendable {
    /// A password of three bytes for each that is typed, an address, and what is hidden; or what a passkey says.
    static let bytesMax = 16 << 10

    private let values: RequestParameters

    /// nil where a request brings no form.
    init?(_ request: RawRequest) {
        let type = request.headers.first(.contentType)?.prefix { $0 != ";" }.trimmed.lowercased()
        guard type == "application/x-www-form-urlencoded" else { return nil }
        self.init(request.body)
    }

    /// nil for what is too long, or no text.
    init?(_ body: [UInt8]) {
        guard body.count <= Self.bytesMax, let text = String(validating: body, as: UTF8.self) else { return nil }
        values = RequestParameters("?" + text.replacing("+", with: "%20"))
        guard !values.hasUnreadable else { return nil }
    }

    /// Empty where it is missing.
    func value(of name: StaticString) -> String { values.value(of: name) ?? "" }

    /// What a script has written in base64url; empty where that is none, too.
    func bytes(of name: StaticString) -> [UInt8] { Base64.bytes(exactly: value(of: name), .urlSafe) ?? [] }
}
