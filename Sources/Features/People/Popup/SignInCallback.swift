import CloudKitWire
import NephosRunner

/// Where a browser continues after a sign-in: a page of an app, or an app on the same machine with its own scheme.
struct SignInCallback: Sendable, Equatable {
    static let bytesMax = 512
    /// Schemes that browsers handle themselves, so no app can own them.
    private static let foreign: Set<String> = [
        "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto", "vbscript",
        "view-source", "ws", "wss",
    ]

    let text: String
    /// The source for a content security policy that lets a form lead there.
    let source: String

    /// nil if it is not a valid callback: not a complete address, one with a fragment, a scheme of browsers, or HTTP to another
    /// machine without TLS.
    init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains(where: { "\"'<>\\^`{|}#;,".contains($0) }),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme.first?.isLetter == true,
            scheme.allSatisfy({ $0.isLetter || $0.isNumber || "+-.".contains($0) }), !Self.foreign.contains(scheme)
        else { return nil }
        if scheme == "https" || scheme == "http" {
            let rest = text[colon...].dropFirst(3)
            guard text[colon...].hasPrefix("://") else { return nil }
            let authority = rest.prefix { $0 != "/" && $0 != "?" }
            guard let origin = WebOrigin("\(scheme)://\(authority)"), origin.isSafe else { return nil }
            source = origin.text
        } else {
            source = "\(scheme):"
        }
        self.text = text
    }

    /// The address with members added to its query.
    func url(adding members: [(name: String, value: String)]) -> String {
        let query = members.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
        return text + (text.contains("?") ? (text.last == "?" || text.last == "&" ? "" : "&") : "?") + query
    }
}

/// The receiver of the result of a sign-in.
enum SignInDestination: Sendable, Equatable {
    /// The page that opened the window.
    case page(WebOrigin)
    case callback(SignInCallback)
    /// A program, which polls for it.
    case program

    /// For people, and for ``ConsentRow/origin``.
    var text: String {
        switch self {
        case .page(let origin): origin.text
        case .callback(let callback): callback.text
        case .program: "code"
        }
    }
}
