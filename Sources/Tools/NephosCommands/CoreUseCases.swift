import NephosAdmin
package import NephosRunner

extension UseCaseGroup {
    /// What every program offers, in the order of its help.
    package static let core: [UseCaseGroup] = [
        .containers, .tokens, .keys, .accounts, .sessions, .schemas, .roles, UseCaseGroup(.lint), .records, .trash,
        .push,
        .webhooks, .indexes, UseCaseGroup(.reindex), UseCaseGroup(.stats), .secrets, UseCaseGroup(.check),
    ]
}
