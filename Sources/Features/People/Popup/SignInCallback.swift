import CloudKitWire
import NephosRunner

/// Where a browser goes on once somebody has signed in: a page of an app, or an app on the same machine by a scheme of its own.
struct SignInCallback: Sendable, Equatable {
    static let bytesMax = 512
    /// What browsers open by themselves, and no app can have for itself.
    private static let foreign: Set<String> = [
        "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto", "vbscript",
        "view-source", "ws", "wss",
    ]

    let text: String
    /// What a form may lead to, as a content security policy names it.
    let source: String

    /// nil for what can be none: no whole address, one with a fragment, or one that strangers listen to.
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

    /// The address with more in its query, which it keeps.
    func url(adding members: [(name: String, value: String)]) -> String {
        let query = members.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
        return text + (text.contains("?") ? (text.last == "?" || text.last == "&" ? "" : "&") : "?") + query
    }
}

/// Whoever is told that somebody has signed in.
enum SignInDestination: Sendable, Equatable {
    /// The page that opened the window.
    case page(WebOrigin)
    case callback(SignInCallback)
    /// A program, which asks for it itself.
    case program

    /// For people, and in ``ConsentRow/origin``.
    var text: String {
        switch self {
        case .page(let origin): origin.text
        case .callback(let callback): callback.text
        case .program: "code"
        }
    }
}
