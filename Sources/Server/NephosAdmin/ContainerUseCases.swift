import CloudKitWire
import NephosAssets
package import NephosRunner

extension UseCaseGroup {
    package static let containers = UseCaseGroup(
        "container", abstract: "Create, list and delete containers.",
        [UseCase.createContainer, UseCase.listContainers, UseCase.deleteContainer])
}

extension UseCase {
    fileprivate static let createContainer = UseCase(
        "container create", .changes, store: .existingOrNew,
        abstract: "Create a container with development and production environments.",
        discussion: """
            If there is no store yet, --new-store creates one in the data folder.

            In development, saving the first record of a type creates the type, and queries can use all of its own fields. \
            Queries for all records of a type, without a filter, need a schema that permits them, or --listable.

            Example:

              nephos container create --listable iCloud.com.example.app
            """,
        Input<String>.argument(
            "id", help: "Letters, digits, '.', '-' and '_'; iCloud. and a reversed domain name by convention."),
        .flag(
            "listable",
            help: "Let queries list all records of types created in development (QUERYABLE on ___recordID).")
    ) { call, id, isListable in
        try call.administration.createContainer(id, isListable: isListable)
        return .text(id).noting("Created \(id). Let an app in with: \(call.command("token create \(id)"))")
    }

    fileprivate static let listContainers = UseCase(
        "container list", .reads, abstract: "Print the ids of all containers, one per line.",
        discussion: "Example:\n\n  nephos container list --data /srv/nephos", Input<Output>.output
    ) { call, output in
        // A folder that is not there holds no containers: an empty list, so that scripts need no special case.
        let ids = try call.hasStore ? call.administration.containers() : []
        if output == .json {
            return output.answer([], []) { json in for id in ids { json.string(id) } }
        }
        guard !ids.isEmpty else {
            let create = call.command("container create ID\(call.isDatabase ? "" : " --new-store")")
            return .note("No containers in \(call.place). Create one with: \(create)")
        }
        return .text(ids.joined(separator: "\n"))
    }

    fileprivate static let deleteContainer = UseCase(
        "container delete", .destroys, abstract: "Delete a container and everything in it, in both environments.",
        discussion: """
            This cannot be undone. You are asked to type the id again.

            Example:

              nephos container delete iCloud.com.example.app --yes
            """,
        Input<String>.argument("id", help: "The container's id."), .yes
    ) { call, id, isSure in
        let administration = try call.administration
        // Before the question: there may be no such container, and nobody wants to create it here.
        let homes: [AssetHome]
        do { homes = try administration.assetHomes(of: id) } catch AdminError.noContainer {
            throw Failure("There is no container \(id). See all with: \(call.command("container list"))")
        }
        try call.confirm(
            "This deletes \(id) and everything in it, in development and production.", typing: id, unless: isSure)
        try administration.deleteContainerAndEverythingInIt(id)
        do { for home in homes { try call.files.removeAll(in: home) } } catch {
            call.note(
                "Some of its files could not be removed: \(error). Remove the folder \(id) from the folder of files.")
        }
        return .note("Deleted \(id).")
    }
}
