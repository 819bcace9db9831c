package import NephosStorage
import Synchronization

/// Whether and how this server sends mails, as it was said lately: asked without waiting, so that a page can say that none will come.
package final class MailState: Sendable {
    /// How old it is at most.
    package static let age: Duration = .seconds(5)

    private let fixed, fallback: MailSetup?
    private let read = Mutex<MailSetup?>(nil)

    /// - Parameter mail: What whoever started the program said.
    package init(_ mail: any OutgoingMail = NoOutgoingMail()) { (fixed, fallback) = (mail.setup, mail.fallback) }

    /// nil where no mail is sent.
    package var setup: MailSetup? { fixed ?? read.withLock { $0 } ?? fallback }
    package var isSetUp: Bool { setup != nil }

    /// Reads what the installation says. May wait. Where that fails it stays as it was.
    package func refresh(from engine: any StorageEngine) throws(StorageError) {
        guard fixed == nil else { return }
        let row = try engine.directory.rows(MailSetupRow.only).first
        read.withLock { $0 = row.flatMap { MailSetup($0) } }
    }

    /// Reads it for the first time, so that the first page knows. May wait.
    package func begin(_ runner: Runner) {
        do throws(StorageError) { try refresh(from: runner.engine) } catch { runner.outage.note(error) }
    }

    /// Whether mails are sent, asked anew before it is denied: who has just set it up does not meet what was said before. May wait.
    package func isSetUp(askedOf engine: any StorageEngine) throws(StorageError) -> Bool {
        if !isSetUp { try refresh(from: engine) }
        return isSetUp
    }

    /// Refreshes it again and again, until the task is cancelled.
    package func follow(_ worker: Worker) async {
        while (try? await Task.sleep(for: Self.age)) != nil {
            await worker.attempt(failed: { _ in }) { try await worker.run { try self.refresh(from: worker.engine) } }
        }
    }
}
