import NephosCommands
import NephosRunner
import Testing

@Suite("The use cases of every program") struct CoreUseCasesTests {
    @Test("Each is called by the name of its group first, and has no two inputs of one name") func names() {
        for group in UseCaseGroup.core {
            for useCase in group.useCases {
                #expect(useCase.path.first == group.name && useCase.path.count == (group.single == nil ? 2 : 1))
                #expect(Set(useCase.fields.map(\.name)).count == useCase.fields.count, "\(useCase.path)")
            }
        }
        let paths = UseCaseGroup.core.flatMap { $0.useCases.map(\.path) }
        #expect(Set(paths).count == paths.count)
    }

    @Test("What does not only read says so: a journal and a console go by it") func effects() {
        func paths(_ effect: UseCase.Effect) -> [String] {
            UseCaseGroup.core.flatMap(\.useCases).filter { $0.effect == effect }.map { $0.path.joined(separator: " ") }
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
