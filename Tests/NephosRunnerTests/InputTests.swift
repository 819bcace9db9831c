import NephosRunner
import NephosStorage
import Testing

/// How a form or a request would read inputs: texts, and no parser.
@Suite("Inputs of use cases") struct InputTests {
    private func wrong<Value>(_ input: Input<Value>, _ texts: InputTexts) -> String? {
        do throws(WrongInput) { _ = try input.value(of: texts) } catch { return error.text }
        return nil
    }

    @Test("Texts are converted to values") func values() throws {
        #expect(try Input<String>.argument("a", help: "").value(of: ["a": ["x"]]) == "x")
        #expect(try Input<Int>.option("a", help: "").value(of: ["a": ["-3"]]) == -3)
        #expect(try Input<Int?>.option("a", help: "").value(of: [:]) == nil)
        #expect(try Input<[Int]>.option("a", help: "").value(of: ["a": ["1", "2"]]) == [1, 2])
        #expect(try Input<Int>.option("a", default: 5, help: "").value(of: [:]) == 5)
        #expect(try Input<Int>.option("a", default: 5, help: "").value(of: ["a": ["6"]]) == 6)
        #expect(try Input<Bool>.flag("a", help: "").value(of: ["a": ["yes"]]))
        #expect(try !Input<Bool>.flag("a", help: "").value(of: ["b": ["yes"]]))
        let tenant = try Input<Tenant>.tenant.value(of: ["container": ["c"], "environment": ["production"]])
        #expect(tenant == Tenant(container: "c", environment: .production))
    }

    @Test("An invalid value is rejected with an example of a valid one") func refusals() {
        #expect(wrong(Input<String>.argument("a", help: ""), [:]) == "Pass a.")
        #expect(wrong(Input<Int>.option("a", help: ""), ["a": ["x"]]) == "x is not a valid a.")
        #expect(wrong(Input<[Int]>.option("a", help: ""), ["a": ["1", "x"]]) == "x is not a valid a.")
        #expect(
            wrong(.environment, ["environment": ["staging"]])
                == "staging is not a valid environment. Expected one of: development, production.")
        #expect(wrong(.lines(), ["limit": ["0"]]) == "A limit must be from 1 to 10000.")
        #expect(wrong(.lines(), ["limit": ["1"]]) == nil)
    }

    @Test("A use case declares its fields in order, and rejects invalid input before it runs") func useCase()
        async throws
    {
        let useCase = UseCase(
            "a b", .changes, abstract: "", .tenant, .lines(), .yes
        ) { _, _, _, _ in .nothing }
        #expect(useCase.path == ["a", "b"] && useCase.effect == .changes)
        #expect(useCase.fields.map(\.name) == ["container", "environment", "limit", "yes"])
        #expect(useCase.inputs.map(\.fields.count) == [2, 1, 1])
        #expect(throws: WrongInput.self) { try useCase.reading(["container": ["c"], "limit": ["0"]]) }
        _ = try useCase.reading(["container": ["c"]])
    }
}
