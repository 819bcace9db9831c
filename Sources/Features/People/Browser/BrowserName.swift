/// A readable name for a browser: program and system, from known words in its `User-Agent`, as these headers all begin alike.
struct BrowserName: Sendable, CustomStringConvertible {
    /// The first match counts, because most headers also contain the words of later entries.
    private static let programs = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]

    let description: String

    /// - Parameter agent: Shown unchanged if it has no known word.
    init(_ agent: String) {
        let words = [Self.programs, Self.systems].compactMap { known in known.first { agent.contains($0.0) }?.1 }
        description = words.isEmpty ? agent : words.joined(separator: ", ")
    }
}
