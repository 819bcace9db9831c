/// A readable name for a browser: program and system, from known words in its `User-Agent`, as these headers all begin alike.
package struct BrowserName: Sendable, CustomStringConvertible {
    /// The first match counts, because most headers also contain the words of later entries.
    private static let programs = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]
    /// Of another program's name.
    private static let productMax = 40

    package let description: String
    private let isKnown: Bool

    /// - Parameter agent: Shown unchanged if it has no known word.
    package init(_ agent: String) {
        let words = [Self.programs, Self.systems].compactMap { known in known.first { agent.contains($0.0) }?.1 }
        isKnown = !words.isEmpty
        description = isKnown ? words.joined(separator: ", ") : agent
    }

    /// The same; of another program only its name, without what follows it.
    package var short: String {
        isKnown ? description : String(description.prefix { $0 != "/" && $0 != " " }.prefix(Self.productMax))
    }
}
