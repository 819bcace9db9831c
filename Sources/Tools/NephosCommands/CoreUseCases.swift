import NephosAdmin
package import NephosRunner

extension UseCaseGroup {
    /// What every program offers: to work with what is stored, and to keep a store in order.
    fileprivate static let working: [UseCaseGroup] = [
        .containers, .tokens, .keys, .accounts, .sessions, .schemas, .roles, UseCaseGroup(.lint), .records, .trash,
    ]
    fileprivate static func keeping(_ features: [Feature]) -> [UseCaseGroup] {
        [
            .indexes, UseCaseGroup(.reindex), UseCaseGroup(.stats), .secrets(of: features), UseCaseGroup(.check),
        ]
    }
}

extension [Feature] {
    /// What a program with these features offers, in the order of its help.
    package var offered: [UseCaseGroup] { UseCaseGroup.working + useCases + UseCaseGroup.keeping(self) }
}
