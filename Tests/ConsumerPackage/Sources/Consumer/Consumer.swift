import CloudKit
import CloudKitWire
import OldConsumer

let user = UserID(high: 1, low: 2)
precondition(UserID(recordName: user.recordName) == user)
let note = makeNote(titled: "Hello")
precondition(note["title"] as? String == "Hello" && isGreeting(note))
print("The library works: \(user.recordName), \(note.recordID.recordName)")
