import NephosAdmin
package import NephosRunner

extension UseCaseGroup {
    /// What every program offers: commands for stored data, and for maintaining a store.
    fileprivate static let working: [UseCaseGroup] = [
        .containers, .tokens, .keys, .accounts, .sessions, .schemas, .roles, UseCaseGroup(.lint), .records, .trash,
    ]
    fileprivate static func keeping(_ features: [Feature]) -> [UseCaseGroup] {
        [
            .mails, .indexes, UseCaseGroup(.reindex), UseCaseGroup(.stats), .secrets(of: features),
            UseCaseGroup(.check), .backups, .stores,
        ]
    }
}

extension [Feature] {
    /// The use cases of a program with these features, in the order of its help.
    package var offered: [UseCaseGroup] { (UseCaseGroup.working + useCases + UseCaseGroup.keeping(self)).merged }
}

extension [UseCaseGroup] {
    /// Merges groups with the same name, at the place of the first. A use case of a later group replaces one with the same name in
    /// an earlier group, so a feature can extend what every program has.
    fileprivate var merged: [UseCaseGroup] {
        var merged: [UseCaseGroup] = []
        for group in self {
            guard let place = merged.firstIndex(where: { $0.name == group.name }) else {
                merged.append(group)
                continue
            }
            let first = merged[place]
            let more = group.useCases.filter { new in !first.useCases.contains { $0.path == new.path } }
            let own = first.useCases.map { old in group.useCases.first { $0.path == old.path } ?? old }
            merged[place] = UseCaseGroup(
                first.name, abstract: first.abstract, discussion: first.discussion, own + more,
                groups: first.groups + group.groups)
        }
        return merged
    }
}
