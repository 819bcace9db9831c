import CloudKit
import Communications
import CommunicationsCloudKit

/// How an app uses messages.
enum Announcement {
    static func show() async throws {
        let commun = Commun(
            title: ["en": "Hello", "es": "Hola"], content: ["en": "Text"], type: .information(okayTitle: ["en": "OK"]),
            identifier: 3)
        var audience = CommunAudience.current
        audience.locale = "es-MX"
        let center = CommunCenter(
            getter: StubCommunGetter(commun), actions: CommunActions(), memory: CommunMemory(file: nil),
            question: CommunQuestion(audience))
        guard let shown = try await center.current() else { preconditionFailure("there is no message") }
        precondition(shown.title == "Hola" && shown.buttons.map(\.title) == ["OK"])
        await center.press(shown.buttons[0], of: shown)
        precondition(center.memory.hasSeen(commun))
        // The server is not configured.
        do {
            let container = CKContainer(identifier: "iCloud.org.example.consumer")
            _ = try await CloudCommunGetter(container: container).getCommunication()
            preconditionFailure("a message came from nowhere")
        } catch {
            precondition(!error.message.isEmpty)
        }
    }
}
