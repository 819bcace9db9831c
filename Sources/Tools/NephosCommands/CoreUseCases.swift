import NephosAdmin
package import NephosRunner

extension UseCaseGroup {
    /// What every program offers, in the order of its help.
    package static let core: [UseCaseGroup] = [
        .tokens, .containers, .accounts, .sessions, .keys, .schemas, .roles, UseCaseGroup(.lint), .push, .indexes,
        UseCaseGroup(.reindex), .secrets, UseCaseGroup(.check), .records, .trash, UseCaseGroup(.stats), .webhooks,
    ]
}
