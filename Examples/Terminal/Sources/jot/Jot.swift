import CloudKit

/// Notes of one person, in a terminal:
///
///     jot              lists them
///     jot Buy milk     adds one
///     jot --leave      signs out
@main struct Jot {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            say("jot: \(error.localizedDescription)", to: .standardError)
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        let container = CKContainer.default()
        if words == ["--leave"] {
            try await container.endSession()
            return say("Signed out.")
        }
        if try await container.accountStatus() != .available {
            try await container.signIn { code, page in
                say("Open \(page) in any browser, sign in there, and type \(code)")
            }
        }
        let database = container.privateCloudDatabase
        if !words.isEmpty {
            let note = CKRecord(recordType: "Note")
            note["text"] = words.joined(separator: " ")
            try await database.save(note)
        }
        for note in try await notes(in: database) { say("- \(note["text"] as? String ?? "")") }
    }

    private static func notes(in database: CKDatabase) async throws -> [CKRecord] {
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        do {
            return try await database.records(matching: query).matchResults.map { try $0.1.get() }
        } catch let error as CKError where error.code == .unknownItem {
            // There is no note yet.
            return []
        }
    }

    /// Prints a line without buffering.
    private static func say(_ line: String, to file: FileHandle = .standardOutput) {
        file.write(Data("\(line)\n".utf8))
    }
}
