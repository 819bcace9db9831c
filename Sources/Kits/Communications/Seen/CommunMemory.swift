public import Foundation
import KitSupport
import NephosTransport

/// Records in a file what this device has shown and which reports are still to be sent, so that no user sees a message twice, even
/// without a network or after a lost report.
public final class CommunMemory: Sendable {
    private struct Kept: Codable, Equatable {
        var installation: String
        /// IDs of messages, the latest last.
        var seen: [String] = []
        /// Reports that are not sent yet, in order.
        var reports: [CommunReport] = []
    }

    private struct State {
        var kept: Kept
        var problem: CommunFault?
        /// False while there is a file that could not be read: it may be readable at the next launch.
        var mayWrite = true
    }

    /// Limits. Beyond them the oldest entries are dropped: the server knows them.
    private static let seenMax = 1_000, reportsMax = 200

    private let file: URL?
    /// Messages with numbers up to this one were shown before the app adopted this kit.
    private let honored: Int?
    private let state: Locked<State>

    /// Reads the stored state.
    ///
    /// - Parameters:
    ///   - file: The file that keeps the state between launches; nil keeps nothing.
    ///   - key: The key under which the app has stored the number of the last message it showed, as the article's app does, as a
    ///     number or as text: messages `commun-0` up to that number count as seen. The value is read and not changed.
    ///   - defaults: The user defaults that contain `key`.
    public init(
        file: URL? = CommunMemory.defaultFile, honoring key: String? = nil, in defaults: UserDefaults = .standard
    ) {
        self.file = file
        honored = key.flatMap { key in
            switch defaults.object(forKey: key) {
            case let number as Int: number
            case let text as String: Int(text)
            default: nil
            }
        }
        var state = State(kept: Kept(installation: UUID().uuidString))
        do throws(CommunFault) {
            if let file, let kept = try KeptFile.read(Kept.self, file) { state.kept = kept }
        } catch {
            state.problem = error
            // A file whose content is not valid was renamed.
            state.mayWrite = !FileManager.default.fileExists(atPath: file?.path ?? "")
        }
        self.state = Locked(state)
        // Persist the installation identifier before it is first used.
        keep { _ in }
    }

    /// `APP/Communications/seen.json` in the application support directory.
    public static var defaultFile: URL? { KeptFile.standard("Communications/seen.json") }

    /// The identifier of this installation, used if nobody is signed in.
    public var installation: String { state.withLock { $0.kept.installation } }

    /// Why the state could not be read or written; nil if there is no problem. Until the next launch everything works from memory.
    public var problem: CommunFault? { state.withLock { $0.problem } }

    public func hasSeen(_ commun: Commun) -> Bool {
        if commun.round == 0, let identifier = commun.identifier, let honored, identifier <= honored { return true }
        return state.withLock { $0.kept.seen.contains(CommunReport.seenKey(commun.id, commun.round)) }
    }

    /// Clears the state and creates a new installation identifier, for example when a user signs out: the next user has seen
    /// nothing, and pending reports would otherwise be sent on their behalf. The number given to ``init(file:honoring:in:)`` still
    /// applies.
    public func forget() {
        // A file of the previous user is replaced, even one that could not be read.
        state.withLock { $0.mayWrite = true }
        keep { $0 = Kept(installation: UUID().uuidString) }
    }

    // MARK: Reports

    var reports: [CommunReport] { state.withLock { $0.kept.reports } }

    /// Queues a report and records that the message was seen.
    func note(_ report: CommunReport) {
        keep { kept in
            if !kept.seen.contains(report.seenKey) { kept.seen.append(report.seenKey) }
            if !kept.reports.contains(report) { kept.reports.append(report) }
            kept.seen.removeFirst(max(kept.seen.count - Self.seenMax, 0))
            kept.reports.removeFirst(max(kept.reports.count - Self.reportsMax, 0))
        }
    }

    /// Removes a report that was sent.
    func forget(_ report: CommunReport) { keep { $0.reports.removeAll { $0 == report } } }

    private func keep(_ body: (inout Kept) -> Void) {
        state.withLock { state in
            body(&state.kept)
            guard let file, state.mayWrite else { return }
            do throws(CommunFault) {
                try KeptFile.write(state.kept, file)
            } catch {
                state.problem = error
            }
        }
    }
}
