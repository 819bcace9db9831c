import CloudKitWire
import NephosAssets
package import NephosRunner

extension UseCaseGroup {
    package static let containers = UseCaseGroup(
        "container", abstract: "Make, list and delete containers.",
        [UseCase.createContainer, UseCase.listContainers, UseCase.deleteContainer])
}

extension UseCase {
    fileprivate static let createContainer = UseCase(
        "container create", .changes, store: .existingOrNew,
        abstract: "Make a container, with a development and a production environment.",
        discussion: """
            Where there is no store yet, --new-store makes one in the data folder.

            Record types come into being in development with the first record that is saved, and permit queries by all of their \
            own fields. To ask for all records of a type, without a filter, a schema must permit it, unless --listable is given.

            Example:

              nephos container create --listable iCloud.com.example.app
            """,
        Input<String>.argument(
            "id", help: "Letters, digits, '.', '-' and '_'; iCloud. and a reversed domain name by custom."),
        .flag(
            "listable",
            help: "Give types that come into being in development QUERYABLE on ___recordID, which lists all records.")
    ) { call, id, isListable in
        try call.administration.createContainer(id, isListable: isListable)
        return .text(id).noting("Let an app in with: \(call.command("token create \(id)"))")
    }

    fileprivate static let listContainers = UseCase(
        "container list", .reads, abstract: "Print the ids of all containers, one a line.",
        discussion: "Example:\n\n  nephos container list --data /srv/nephos", Input<Output>.output
    ) { call, output in
        // A folder that is not there holds no containers: an empty list, so that scripts need no special case.
        let ids = try call.hasStore ? call.administration.containers() : []
        if output == .json {
            return output.answer([], []) { json in for id in ids { json.string(id) } }
        }
        guard !ids.isEmpty else {
            let create = call.command("container create ID\(call.isDatabase ? "" : " --new-store")")
            return .note("No containers in \(call.place). Make one with: \(create)")
        }
        return .text(ids.joined(separator: "\n"))
    }

    fileprivate static let deleteContainer = UseCase(
        "container delete", .destroys, abstract: "Delete a container and everything in it, in both environments.",
        discussion: """
            There is no way back. It asks for the id once more.

            Example:

              nephos container delete iCloud.com.example.app --yes
            """,
        Input<String>.argument("id", help: "The container's id."), .yes
    ) { call, id, isSure in
        let administration = try call.administration
        // Before the question: there may be no such container.
        let homes = try administration.assetHomes(of: id)
        try call.confirm("This deletes every record of \(id).", typing: id, unless: isSure)
        try administration.deleteContainerAndEverythingInIt(id)
        do { for home in homes { try call.files.removeAll(in: home) } } catch {
            call.note("Some of its files are still there: \(error). Remove the folder \(id) among the files.")
        }
        return .note("Deleted \(id).")
    }
}
