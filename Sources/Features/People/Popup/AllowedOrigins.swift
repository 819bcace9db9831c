import NephosDomain
import NephosRunner

/// The origins of web pages to which an API token lets people sign in.
struct AllowedOrigins: Sendable, Equatable {
    static let countMax = 32
    /// Matches any origin of this machine: `localhost`, 127.0.0.0/8 and ::1, with any port.
    static let loopback = "loopback"
    private static let any = "*"

    private let items: [String]

    static let none = AllowedOrigins(items: [])

    private init(items: [String]) { self.items = items }

    /// - Parameter text: `*`, or origins and ``loopback`` separated by commas; empty for none.
    /// - Throws: ``AdminError/refused(_:)``, which names the problem.
    init(_ text: String) throws(AdminError) {
        var items: [String] = []
        for item in text.split(separator: ",", omittingEmptySubsequences: true) {
            let item = String(item.trimmed)
            if item == Self.any || item == Self.loopback {
                items.append(item)
            } else if let origin = WebOrigin(item) {
                items.append(origin.text)
            } else {
                throw .refused(
                    "\(String(item.prefix(80)).debugDescription) is not a valid origin. Write scheme and host as browsers do, such as "
                        + "https://app.example.org or http://localhost:8000; or \(Self.loopback), or *.")
            }
        }
        guard items.count <= Self.countMax else {
            throw .refused("An API token can have at most \(Self.countMax) origins, not \(items.count).")
        }
        guard !items.contains(Self.any) || items.count == 1 else {
            throw .refused("* allows every origin. Remove the others.")
        }
        self.items = items
    }

    /// - Parameter stored: In the form of ``stored``.
    init(stored: String) { items = stored.split(separator: " ").map(String.init) }

    var stored: String { items.joined(separator: " ") }

    /// For people.
    var text: String { items.isEmpty ? "none" : items.joined(separator: ", ") }

    func allow(_ origin: WebOrigin) -> Bool {
        items.contains { $0 == Self.any || $0 == origin.text || ($0 == Self.loopback && origin.isLoopback) }
    }
}
