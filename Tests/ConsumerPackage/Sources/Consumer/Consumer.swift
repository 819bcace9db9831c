import CloudKit
import CloudKitWire
import OldConsumer

@main
struct Consumer {
    static func main() async throws {
        let user = UserID(high: 1, low: 2)
        precondition(UserID(recordName: user.recordName) == user)
        let note = makeNote(titled: "Hello")
        precondition(note["title"] as? String == "Hello" && isGreeting(note))
        // The server is not configured: requests fail with an error that says so, and the program continues.
        do {
            try await NewSync(container: CKContainer(identifier: "iCloud.org.example.consumer")).save([note])
            preconditionFailure("a record was saved nowhere")
        } catch let error as CKError {
            precondition(error.code == .missingEntitlement && error.advice == .fixTheCode)
        }
        precondition(!OldSync().handle([:]))
        try await Widget.show()
        try await Announcement.show()
        print("The library works: \(user.recordName), \(note.recordID.recordName)")
    }
}
