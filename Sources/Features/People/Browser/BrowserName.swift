/// What people call a browser: program and system, by the words of its `User-Agent`, which all begin alike.
struct BrowserName: Sendable, CustomStringConvertible {
    /// The first that is found counts: most say the words of those after them, too.
    private static let programs = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ]

    let description: String

    /// - Parameter agent: Shown as it is where no word of it is known.
    init(_ agent: String) {
        let words = [Self.programs, Self.systems].compactMap { known in known.first { agent.contains($0.0) }?.1 }
        description = words.isEmpty ? agent : words.joined(separator: ", ")
    }
}
