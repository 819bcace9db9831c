import NephosCommands
import NephosPost
import NephosRunner
import ServerTesting
import Testing

@Suite("The use cases of the program", .onOneEngine) struct CoreUseCasesTests {
    private static let all = [Feature.delivery].offered

    @Test("Each use case's path starts with its group, and no two inputs share a name") func names() {
        for group in Self.all {
            for useCase in group.useCases {
                #expect(useCase.path.first == group.name && useCase.path.count == (group.single == nil ? 2 : 1))
                #expect(Set(useCase.fields.map(\.name)).count == useCase.fields.count, "\(useCase.path)")
            }
        }
        let paths = Self.all.flatMap { $0.useCases.map(\.path) }
        #expect(Set(paths).count == paths.count)
    }

    @Test("A feature can add use cases to a built-in group and replace one of them")
    func merged() throws {
        func useCase(_ path: String) -> UseCase { UseCase(path, .reads, abstract: "of a feature") { _ in .nothing } }
        let feature = Feature(
            "more",
            useCases: [
                UseCaseGroup("account", abstract: "", [useCase("account create"), useCase("account more")]),
                UseCaseGroup("more", abstract: "", [useCase("more show")]),
            ])
        let (before, after) = ([Feature.delivery].offered, [Feature.delivery, feature].offered)
        #expect(after.map(\.name).filter { $0 != "more" } == before.map(\.name))
        let old = try #require(before.first { $0.name == "account" }),
            new = try #require(after.first { $0.name == "account" })
        #expect(new.abstract == old.abstract)
        #expect(new.useCases.map { $0.path[1] } == old.useCases.map { $0.path[1] } + ["more"])
        #expect(new.useCases.map { $0.abstract == "of a feature" } == [true, false, false, true])
    }

    @Test("Destructive use cases take --yes, and no others do") func confirmed() {
        for useCase in [Feature].ofProgram().offered.flatMap(\.all) {
            let flag = useCase.fields.first { $0.name == "yes" }
            #expect((useCase.effect == .destroys) == (flag != nil), "\(useCase.path)")
            #expect(flag.map { $0.kind == .flag && $0.shortName == "y" } ?? true, "\(useCase.path)")
        }
    }

    @Test("Use cases that do more than read declare it: a journal and a console rely on that") func effects() {
        func paths(_ effect: UseCase.Effect) -> [String] {
            Self.all.flatMap(\.useCases).filter { $0.effect == effect }.map { $0.path.joined(separator: " ") }
        }
        #expect(
            paths(.destroys) == [
                "container delete", "schema import", "schema deploy", "schema reset", "records delete",
                "webhook delete",
                "secret reset",
            ])
        #expect(
            paths(.changes) == [
                "container create", "token create", "token rename", "token revoke", "key create", "key rename",
                "key revoke", "account create", "session create", "session revoke", "schema allow", "role assign",
                "role revoke", "role preset", "records create", "records update",
                "records import", "trash restore", "push configure", "webhook create", "webhook replay",
                "mail configure", "mail remove", "index build", "index drop",
                "reindex", "secret rotate", "store copy",
            ])
    }
}

extension UseCaseGroup {
    /// Its own, and those of the groups inside.
    var all: [UseCase] { useCases + groups.flatMap(\.all) }
}
