import NephosRunner
import NephosStorage

/// Where an API token lets people sign in, and whether they may sign up there (table `sign_in_terms`). A token without a row lets
/// nobody in.
struct TokenTermsRow: Sendable, Equatable {
    /// Hash of the API token, as in its own row.
    var token: [UInt8]
    /// ``AllowedOrigins/stored``.
    var origins = ""
    /// Addresses separated by spaces; the first is the default.
    var callbacks = ""
    /// Whether people without an account may create one for its app.
    var signsUp = false
}

extension TokenTermsRow: StoredRow {
    static let table = Table(of: Self.self, "sign_in_terms", .tenant, key: ["token"], isCounted: true)
    static let sample = TokenTermsRow(token: [])

    mutating func columns(_ columns: inout some Columns) throws(StorageError) {
        try columns.bytes("token", &token)
        try columns.text("origins", &origins)
        try columns.text("callbacks", &callbacks)
        try columns.flag("signs_up", &signsUp)
    }

    static func of(_ token: [UInt8]) -> Scan<Self> { Scan(.bytes(token), limit: 1) }

    static func of(_ tokens: [[UInt8]]) -> Scan<Self> { Scan(among: tokens.map { [.bytes($0)] }) }

    // MARK: Callbacks

    static let callbacksMax = 8

    /// - Parameter text: Addresses separated by commas; empty for none.
    /// - Returns: In the form of ``callbacks``.
    /// - Throws: ``AdminError/refused(_:)``, which names the problem.
    static func callbacks(_ text: String) throws(AdminError) -> String {
        let items = text.split(separator: ",").map { String($0.trimmed) }
        guard items.count <= callbacksMax else {
            throw .refused("An API token can have at most \(callbacksMax) callbacks, not \(items.count).")
        }
        for item in items where SignInCallback(item) == nil {
            throw .refused(
                "\(String(item.prefix(80)).debugDescription) is not a valid callback. Use an https address, an http address of this "
                    + "machine, or one with a scheme of the app's own, such as com.example.app://signed-in, of at most "
                    + "\(SignInCallback.bytesMax) bytes."
            )
        }
        return items.joined(separator: " ")
    }

    var allowedOrigins: AllowedOrigins { AllowedOrigins(stored: origins) }

    var allowedCallbacks: [SignInCallback] { callbacks.split(separator: " ").compactMap { SignInCallback(String($0)) } }

    /// The receiver of a sign-in's result; nil if none is allowed.
    ///
    /// - Parameters:
    ///   - origin: Of the page that asked; nil for none.
    ///   - callback: Named in the address; nil for none.
    func destination(_ origin: WebOrigin?, callback: String?) -> SignInDestination? {
        if let callback { return allowedCallbacks.first { $0.text == callback }.map { .callback($0) } }
        if let origin, allowedOrigins.allow(origin) { return .page(origin) }
        return allowedCallbacks.first.map { .callback($0) }
    }
}
