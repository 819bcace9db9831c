import ArgumentParser
import NephosAdmin
import NephosAssets
import NephosRunner

struct ContainerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container", abstract: "Make, list and delete containers.",
        subcommands: [Create.self, List.self, Delete.self])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a container, with a development and a production environment.",
            discussion: """
                Where there is no store yet, --new-store makes one in the data folder.

                Record types come into being in development with the first record that is saved, and permit queries by all of their \
                own fields. To ask for all records of a type, without a filter, a schema must permit it, unless --listable is given.

                Example:

                  nephos container create --listable iCloud.com.example.app
                """)

        @Argument(help: "Letters, digits, '.', '-' and '_'; iCloud. and a reversed domain name by custom.")
        var id: String
        @Flag(help: "Give types that come into being in development QUERYABLE on ___recordID, which lists all records.")
        var listable = false
        @OptionGroup var newStore: NewStoreOption
        @OptionGroup var data: DataOptions

        var makesStore: Bool { newStore.makesStore }

        func run(_ administration: Administration) async throws {
            try administration.createContainer(id, isListable: listable)
            Terminal.answer(id)
            Terminal.note("Let an app in with: nephos token create \(id)\(data.asWritten)")
        }
    }

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the ids of all containers, one a line.",
            discussion: "Example:\n\n  nephos container list --data /srv/nephos")

        @OptionGroup var data: DataOptions

        /// A folder that is not there holds no containers: an empty list, so that scripts need no special case.
        mutating func run() async throws {
            guard try data.exists else { return noteEmpty() }
            let command = self
            try await data.administer(creating: false) { try await command.run($0) }
        }

        func run(_ administration: Administration) async throws {
            let ids = try administration.containers()
            guard !ids.isEmpty else { return noteEmpty() }
            Terminal.answer(ids.joined(separator: "\n"))
        }

        private func noteEmpty() {
            Terminal.note(
                "No containers in \(data.shown). Make one with: nephos container create ID\(data.isDatabase ? "" : " --new-store")\(data.asWritten)"
            )
        }
    }

    struct Delete: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a container and everything in it, in both environments.",
            discussion: """
                There is no way back. On a terminal it asks for the id once more; in a script it does not.

                Example:

                  nephos container delete iCloud.com.example.app
                """)

        @Argument(help: "The container's id.")
        var id: String
        @OptionGroup var data: DataOptions

        func run(_ administration: Administration) async throws {
            if Terminal.isAnswered {
                let typed = Terminal.ask("This deletes every record of \(id). Type the id to go on: ")
                guard typed == id else { throw Failure("Nothing was deleted: the id was not typed.") }
            }
            let homes = try administration.assetHomes(of: id)
            try administration.deleteContainerAndEverythingInIt(id)
            do { for home in homes { try data.files().removeAll(in: home) } } catch {
                Terminal.note("Some of its files are still there: \(error). Remove the folder \(id) among the files.")
            }
            Terminal.note("Deleted \(id).")
        }
    }
}
