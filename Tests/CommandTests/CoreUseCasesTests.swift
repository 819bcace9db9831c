import NephosCommands
import NephosPost
import NephosRunner
import Testing

@Suite("The use cases of the program") struct CoreUseCasesTests {
    private static let all = [Feature.delivery].offered

    @Test("Each is called by the name of its group first, and has no two inputs of one name") func names() {
        for group in Self.all {
            for useCase in group.useCases {
                #expect(useCase.path.first == group.name && useCase.path.count == (group.single == nil ? 2 : 1))
                #expect(Set(useCase.fields.map(\.name)).count == useCase.fields.count, "\(useCase.path)")
            }
        }
        let paths = Self.all.flatMap { $0.useCases.map(\.path) }
        #expect(Set(paths).count == paths.count)
    }

    @Test("What does not only read says so: a journal and a console go by it") func effects() {
        func paths(_ effect: UseCase.Effect) -> [String] {
            Self.all.flatMap(\.useCases).filter { $0.effect == effect }.map { $0.path.joined(separator: " ") }
        }
        #expect(
            paths(.destroys) == [
                "container delete", "schema reset", "records delete", "webhook delete", "secret reset",
            ])
        #expect(
            paths(.changes) == [
                "container create", "token create", "token rename", "token revoke", "key create", "key rename",
                "key revoke", "account create", "session create", "session revoke", "schema import", "schema deploy",
                "role assign", "role revoke", "role preset", "records create", "trash restore", "push configure",
                "webhook create", "webhook replay", "index build", "index drop", "reindex", "secret rotate",
            ])
    }
}
