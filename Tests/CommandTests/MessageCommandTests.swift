import Foundation
import NephosTesting
import ServerTesting
import Testing

/// docs/messages.md, "The first message".
@Suite("The commands for messages") struct MessageCommandTests {
    private static let id = DataFolder.container

    private static let file = """
        id: anniversary
        kind: newVersion
        requires: "2.5"
        title: {en: "New in 2.5", es: "Novedades"}
        body: {en: "It has flags.", es: "Tiene banderas."}
        buttons: {action: {en: Update, es: Actualizar}, cancel: {en: "No", es: "No"}, okay: {en: "Have it", es: "Ya la tengo"}}

        """

    @Test("A message is made with what it needs, published, listed and withdrawn, and one in the way is named")
    func published() throws {
        let folder = try DataFolder.prepared()
        func new(_ text: String) throws -> Outcome {
            try text.write(toFile: folder.folder.path + "/message.yaml", atomically: true, encoding: .utf8)
            return try folder.run(["message", "new", Self.id, folder.folder.path + "/message.yaml"])
        }
        #expect(try folder.run(["message", "list", Self.id]).errors.contains("has no messages. Make the first with:"))
        let first = try new(Self.file)
        #expect(
            first.status == 0 && first.errors.contains("Made message anniversary, a draft. Publish it with:"),
            "\(first)")
        #expect(
            first.errors.contains("Made the record type Message") && first.errors.contains("Made the section messages"))
        #expect(try new(Self.file).errors.contains("There is a message anniversary already."))
        func run(_ words: String...) throws -> Outcome { try folder.run(["message"] + words) }
        #expect(
            try run("publish", Self.id, "anniversary", "--at", "2999-03-07", "--until", "2999-03-08").errors
                == "anniversary will be shown from 2999-03-07T00:00:00Z on, until 2999-03-08T00:00:00Z.\n")
        let list = try run("list", Self.id).output
        #expect(list.contains(/anniversary +newVersion +early +main +everybody +2999-03-07/), "\(list)")
        let second = try new(Self.file.replacing("anniversary", with: "second") + "from: 2999-03-07T12:00:00Z\n")
        #expect(second.status == 1 && second.errors.contains("Record 'anniversary' is in the way."), "\(second)")
        #expect(try run("withdraw", Self.id, "anniversary").errors == "anniversary is a draft.\n")
        let third = try new(Self.file.replacing("anniversary", with: "second") + "from: 2999-03-07T12:00:00Z\n")
        #expect(
            third.errors.contains("Made message second, which will be shown from 2999-03-07T12:00:00Z on"), "\(third)")
        #expect(try run("stats", Self.id, "second").output.contains(/second +0 +0 +0/))
        #expect(try run("publish", Self.id, "nothing").errors.contains("There is no message nothing"))
        #expect(
            try run("publish", Self.id, "second", "--until", "1999-01-01").errors.contains("would end before it begins")
        )
        #expect(try new("id: third\ncolour: red\n").errors.contains("line 2, column 1: colour: a message has"))
    }
}
