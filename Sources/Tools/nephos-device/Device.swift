import CloudKit
import Foundation

/// A minimal client program of a user's device: notes in a folder, synchronized with a zone of the private database. Each command
/// is a process of its own, so its entire state is stored in a file in between.
///
/// Tests run several of these at the same time (Tests/ClientTests); it finds its container like any other program.
@main
struct Device {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, let command = arguments.dropFirst().first else {
            print(
                """
                nephos-device FOLDER edit NAME TEXT | edit-many COUNT TEXT | push | pull | pull-zone | list
                nephos-device FOLDER follow PAGE [LAST]
                """)
            exit(64)
        }
        do {
            let notes = try Notes(folder: URL(fileURLWithPath: folder))
            let sync = NoteSync(notes: notes, database: CKContainer.default().privateCloudDatabase)
            let rest = Array(arguments.dropFirst(2))
            switch command {
            case "edit" where rest.count == 2: notes.edit(rest[0], rest[1])
            case "edit-many" where rest.count == 2:
                for number in 0..<(Int(rest[0]) ?? 0) { notes.edit("note\(number)", rest[1]) }
            case "push": try await sync.push()
            case "pull": try await sync.pull()
            case "pull-zone": try await sync.pullZone()
            case "follow" where (1...2).contains(rest.count):
                let following = Following(notes, killedAfter: rest.count == 2 ? Int(rest[1]) ?? 0 : 0)
                try await following.run(sync.database, pagesOf: Int(rest[0]) ?? 1)
            case "list": for (name, text) in notes.texts.sorted(by: { $0.key < $1.key }) { print("\(name)=\(text)") }
            default:
                print("\(command) is not a valid command")
                exit(64)
            }
            try notes.save()
        } catch let error as CKError {
            // Tests check which error occurred, and what to do about it.
            print("\(error.code) \(error.advice): \(error.localizedDescription)")
            exit(1)
        } catch {
            print("\(error)")
            exit(70)
        }
    }
}
