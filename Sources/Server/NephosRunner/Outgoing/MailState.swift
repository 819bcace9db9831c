package import NephosStorage
import Synchronization

/// Whether and how this server sends mails, cached so that it can be read without blocking, for example by a page that states that no
/// mail will arrive.
package final class MailState: Sendable {
    /// The maximum age of the cached value.
    package static let age: Duration = .seconds(5)

    private let fixed, fallback: MailSetup?
    private let read = Mutex<MailSetup?>(nil)

    /// - Parameter mail: The settings with which the program was started.
    package init(_ mail: any OutgoingMail = NoOutgoingMail()) { (fixed, fallback) = (mail.setup, mail.fallback) }

    /// nil if no mail is sent.
    package var setup: MailSetup? { fixed ?? read.withLock { $0 } ?? fallback }
    package var isSetUp: Bool { setup != nil }

    /// Reads the installation's settings. Blocks. If that fails, the cached value stays.
    package func refresh(from engine: any StorageEngine) throws(StorageError) {
        guard fixed == nil else { return }
        let row = try engine.directory.rows(MailSetupRow.only).first
        read.withLock { $0 = row.flatMap { MailSetup($0) } }
    }

    /// Reads it for the first time, so that the first page has it. Blocks.
    package func begin(_ runner: Runner) {
        do throws(StorageError) { try refresh(from: runner.engine) } catch { runner.outage.note(error) }
    }

    /// Whether mails are sent; if the cached value is no, it is read again, so that a new setup takes effect immediately. May
    /// block.
    package func isSetUp(askedOf engine: any StorageEngine) throws(StorageError) -> Bool {
        if !isSetUp { try refresh(from: engine) }
        return isSetUp
    }

    /// Refreshes it repeatedly, until the task is cancelled.
    package func follow(_ worker: Worker) async {
        while (try? await Task.sleep(for: Self.age)) != nil {
            await worker.attempt(failed: { _ in }) { try await worker.run { try self.refresh(from: worker.engine) } }
        }
    }
}
