import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let guestBook = UseCaseGroup(
        GuestBook.name, abstract: "Show a guest book, and set its rules.", [.show, .set])
}

extension UseCase {
    fileprivate static let show = UseCase(
        "guestbook show", .reads, lists: true, abstract: "Show the signatures added and removed each day.",
        .tenant
    ) { call, tenant in
        let administration = try call.administration
        let summary = GuestBookSummary(
            try administration.read(administration.store(tenant), GuestBookSummary.reading))
        let rows = summary.days.map { [$0.date, "\($0.signed)", "\($0.removed)"] }
        return .table(["Day", "Signed", "Removed"], rows, whenEmpty: "Nobody has signed.")
    }

    fileprivate static let set = UseCase(
        "guestbook set", .changes, abstract: "Set who can sign what.",
        discussion:
            "One setting per line: most 3, or forbid WORD.\n\nExample:\n\n  nephos guestbook set iCloud.com.example.app rules.txt",
        .container, Input<InputFile?>.argument("file", help: "The settings; standard input without one."), .environment
    ) { call, container, file, environment in
        let tenant = Tenant(container: container, environment: environment)
        let document = try call.contents(ofFileOrInput: file)
        let change = try ChangeSections(
            [GuestBook.name: document[...]], of: [CatalogSection.guestBook], by: call.actor.author,
            now: call.now())
        let administration = try call.administration
        let store = try administration.store(tenant)
        let changed = try await administration.commit(to: store, change.reading, change.decide)
        return .note(changed.isEmpty ? "No changes." : "Set the rules of the guest book of \(container).")
    }
}
