import Audience
import CloudKitWire
public import Foundation

/// The form for publishing a record: start, end, minimum version of the app, languages. A value that a view can bind to.
public struct PublishForm: Sendable, Hashable {
    public enum Field: Sendable, Hashable { case end, minimumVersion, languages }

    /// A problem with a field, for people.
    public struct Problem: Sendable, Hashable {
        public let field: Field
        public let message: String
    }

    /// nil for now.
    public var start: Date?
    /// nil for no end.
    public var end: Date?
    /// As typed: `2.3`; empty for all versions.
    public var minimumVersion = ""
    /// Tags such as `es` or `pt-BR`; empty for all languages.
    public var languages: [String] = []
    /// The record's audience if this form cannot express it, for example an audience of the settings: it is kept, and version and
    /// languages cannot be set in addition. nil otherwise.
    public internal(set) var otherAudience: String?

    /// For a record that was not published yet: from now on, without an end, for everybody.
    public init() {}

    /// Parses languages typed into one field: `es, pt-BR`.
    public static func languages(in text: String) -> [String] {
        text.split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init)
    }

    public var problems: [Problem] {
        var problems: [Problem] = []
        if let end, let start, end <= start {
            problems.append(Problem(field: .end, message: "It would end before it begins."))
        }
        if otherAudience != nil {
            let message = "The audience is set elsewhere, and cannot be changed here."
            if !minimumVersion.isEmpty { problems.append(Problem(field: .minimumVersion, message: message)) }
            if !languages.isEmpty { problems.append(Problem(field: .languages, message: message)) }
            return problems
        }
        if !minimumVersion.isEmpty, Version(minimumVersion) == nil {
            problems.append(
                Problem(field: .minimumVersion, message: "“\(minimumVersion)” is not a version such as 2.3."))
        }
        for language in languages where LanguageTag(language) == nil {
            problems.append(
                Problem(field: .languages, message: "“\(language)” is not a language such as es or pt-BR."))
        }
        return problems
    }

    /// The audience as JSON: `{"app":">=2.3","locale":["es"]}`; nil for everybody.
    public var condition: String? {
        guard !minimumVersion.isEmpty || !languages.isEmpty else { return nil }
        var json = JSONWriter()
        json.beginObject()
        if !minimumVersion.isEmpty { json.member("app", ">=\(Version.bare(minimumVersion))") }
        if !languages.isEmpty {
            json.key("locale")
            json.beginArray()
            for language in languages { json.string(language) }
            json.endArray()
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// - Throws: `refused`, with the problem.
    func publication(of id: String, _ type: ContentType) throws(ContentFault) -> Publication {
        if let problem = problems.first { throw ContentFault(.refused, problem.message) }
        var publication = Publication(id, of: type, start: start.map { .at($0) } ?? .now, until: end)
        if otherAudience == nil { publication.audience = condition.map { .condition($0) } ?? .everybody }
        return publication
    }
}
