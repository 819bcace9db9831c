import CloudKitWire
import NephosRunner

/// The fields of a form as browsers send it (`application/x-www-form-urlencoded`).
struct FormFields: Sendable {
    /// Room for a password at three bytes per typed byte, an address and hidden fields; or for a passkey's response.
    static let bytesMax = 16 << 10

    private let values: RequestParameters

    /// nil if it is too long, or not valid text.
    init?(_ body: [UInt8]) {
        guard body.count <= Self.bytesMax, let text = String(validating: body, as: UTF8.self) else { return nil }
        values = RequestParameters("?" + text.replacing("+", with: "%20"))
        guard !values.hasUnreadable else { return nil }
    }

    /// Empty if missing.
    func value(of name: StaticString) -> String { values.value(of: name) ?? "" }

    /// A script's value in base64url; empty if missing or not valid.
    func bytes(of name: StaticString) -> [UInt8] { Base64.bytes(exactly: value(of: name), .urlSafe) ?? [] }
}
