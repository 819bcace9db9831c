import Foundation
import NephosTesting
import Testing

@testable import PublishedContent

/// docs/published-content.md, "Publishing".
@Suite("The model of a publishing form") struct FormTests {
    private func filled(_ version: String = "", _ languages: [String] = []) -> PublishForm {
        var form = PublishForm()
        (form.minimumVersion, form.languages) = (version, languages)
        return form
    }

    @Test("The input becomes a condition as records have it")
    func condition() {
        #expect(filled().condition == nil && filled().problems.isEmpty)
        #expect(filled("2.3").condition == #"{"app":">=2.3"}"#)
        #expect(filled("v2.3").condition == #"{"app":">=2.3"}"#)
        #expect(filled("", ["es", "pt-BR"]).condition == #"{"locale":["es","pt-BR"]}"#)
        #expect(filled("2.3", ["es"]).condition == #"{"app":">=2.3","locale":["es"]}"#)
        #expect(PublishForm.languages(in: " es, pt-BR,,\tde ") == ["es", "pt-BR", "de"])
        #expect(PublishForm.languages(in: " , ").isEmpty)
    }

    @Test(
        "Invalid input is reported at its field, and not sent",
        arguments: [
            ("2.x", [], PublishForm.Field.minimumVersion, "2.x"), ("", ["spanish!"], .languages, "spanish!"),
            ("2..3", [], .minimumVersion, "2..3"), ("2.3", ["es", ""], .languages, ""),
        ])
    func problems(version: String, languages: [String], field: PublishForm.Field, word: String) async throws {
        let form = filled(version, languages)
        #expect(form.problems.map(\.field) == [field])
        #expect(form.problems.allSatisfy { $0.message.contains("“\(word)”") })
        let (folder, time) = (try CacheFolder(), TestTime())
        let source = StaticContentSource([chibi("a")], time)
        let content = content(source, folder.cache(time), time)
        #expect(await fault { try await content.publish("a", form) }?.kind == .refused)
        #expect(source.publications == [])
    }

    @Test("An end before the start is an error, and one without a start is not")
    func times() {
        var form = filled()
        (form.start, form.end) = (TestTime.start, TestTime.start)
        #expect(form.problems.map(\.field) == [.end])
        form.end = TestTime.start + 1
        #expect(form.problems.isEmpty)
        (form.start, form.end) = (nil, TestTime.start)
        #expect(form.problems.isEmpty)
    }

    @Test("A record fills in the form, and conditions that the form cannot show stay")
    func item() throws {
        var item = chibi("a", start: -60, until: 60, audience: #"{"locale":"es","app":">= 2.3"}"#)
        let form = PublishForm(item, of: .chibi)
        #expect(form.start == TestTime.start - 60 && form.end == TestTime.start + 60)
        #expect(form.minimumVersion == "2.3" && form.languages == ["es"] && form.otherAudience == nil)
        for other in ["friends", #"{"platform":"web"}"#, #"{"app":"<3"}"#, #"{"app":">=2 <3"}"#, "{", #"{"all":[]}"#] {
            item["audience"] = .string(other)
            var form = PublishForm(item, of: .chibi)
            #expect(form.otherAudience == other && form.problems.isEmpty && form.minimumVersion.isEmpty)
            #expect(try form.publication(of: "a", .chibi).audience == .unchanged)
            form.languages = ["es"]
            #expect(form.problems.map(\.field) == [.languages])
        }
        item["audience"] = nil
        #expect(try PublishForm(item, of: .chibi).publication(of: "a", .chibi).audience == .everybody)
    }

    @Test("A mock remembers what was published, shows it, and withdraws it")
    func mock() async throws {
        let (folder, time) = (try CacheFolder(), TestTime())
        let source = StaticContentSource([chibi("a", start: 9_000)], time)
        let content = content(source, folder.cache(time), time)
        #expect(try await content.newest().nothingFits)
        try await content.publish("a", until: time.now + 5)
        #expect(try await content.newest().items.map(\.id) == ["a"])
        #expect(source.publications.map(\.start) == [.now])
        try await content.withdraw("a")
        #expect(try await content.newest().nothingFits)
        source.fail(with: ContentFault(.unreachable, "down"))
        #expect(await fault { _ = try await content.newest() }?.kind == .unreachable)
    }
}
