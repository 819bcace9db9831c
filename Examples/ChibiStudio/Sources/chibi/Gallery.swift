import Foundation
import PublishedContent

/// A drawing of the studio.
struct Chibi: Decodable {
    var id: String
    var title: String
    var drawing: String
}

extension ContentType {
    static let chibi = ContentType("Chibi")
}

/// The published drawings, as app and widget show them.
struct Gallery {
    let content: PublishedContent

    /// - Parameter isWidget: Show cached drawings, and ask the server only if there are none.
    init(_ settings: Settings, isWidget: Bool = false) {
        var source = HTTPContentSource(
            server: settings.server, container: settings.container, environment: settings.environment,
            credentials: HTTPContentSource.Credentials(
                token: settings.apiToken, webAuthToken: { settings.webAuthToken }))
        source.reportsApp = true
        content = PublishedContent(
            .chibi, source: source, cache: ContentCache(folder: settings.kept, maxBytes: 5_000_000),
            audience: settings.audience, mode: isWidget ? .extension : .app)
    }

    /// All drawings for this person, newest first.
    func show() async throws {
        let answer = try await content.newest(count: 50)
        for item in answer.items { say("\(item.id): \(try item.decoded(as: Chibi.self).title)") }
        if answer.nothingFits { say("Nothing is published for you yet.") }
    }

    /// A random one: the same all day, another one for other people.
    func showOne(for person: String) async throws {
        let answer = try await content.pick(seed: ContentRequest.seed(person: person, day: .now))
        guard let chibi = try answer.items.first?.decoded(as: Chibi.self) else { return say("Nothing for today.") }
        say(chibi.drawing)
        say(chibi.title + (answer.isFromCache ? " (kept)" : ""))
    }
}
