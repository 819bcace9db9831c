public import Foundation
import KitSupport
import NephosTransport

/// What this device has shown, and what of it the server does not know yet, in a file: nobody sees a message twice, also where there is no
/// network, or a report was lost.
public final class CommunMemory: Sendable {
    private struct Kept: Codable, Equatable {
        var installation: String
        /// Ids of messages, the last at the end.
        var seen: [String] = []
        /// What was not told yet, in its order.
        var reports: [CommunReport] = []
    }

    private struct State {
        var kept: Kept
        var problem: CommunFault?
    }

    /// More are forgotten, the oldest first: a server knows them.
    private static let seenMax = 1_000, reportsMax = 200

    private let file: URL?
    /// Messages with a number up to this one were shown before the app had this kit.
    private let honored: Int?
    private let state: Locked<State>

    /// Reads what was kept.
    ///
    /// - Parameters:
    ///   - file: Where it is kept from one start to the next; nil keeps nothing.
    ///   - key: Under which an app has kept the number of the last message that it has shown, as the article's does, whether as a number or as
    ///     text: messages `commun-0` up to that number are seen. The value is read and not changed.
    ///   - defaults: Where that is.
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
        }
        self.state = Locked(state)
        // Whoever asks first is known from then on.
        keep { _ in }
    }

    /// `APP/Communications/seen.json` among what programs support themselves with.
    public static var defaultFile: URL? { KeptFile.standard("Communications/seen.json") }

    /// What stands for this installation, where nobody is signed in.
    public var installation: String { state.withLock { $0.kept.installation } }

    /// Why something could not be read or kept; nil where it could. Until the next start all holds as if it were.
    public var problem: CommunFault? { state.withLock { $0.problem } }

    public func hasSeen(_ commun: Commun) -> Bool {
        if commun.round == 0, let identifier = commun.identifier, let honored, identifier <= honored { return true }
        return state.withLock { $0.kept.seen.contains(CommunReport.seenKey(commun.id, commun.round)) }
    }

    /// Forgets everything, and is another installation from now on, as an app may want when somebody signs out: who comes next has seen nothing,
    /// and what was not told yet would be told as theirs. The number of ``init(file:honoring:in:)`` still holds.
    public func forget() { keep { $0 = Kept(installation: UUID().uuidString) } }

    // MARK: Reports

    var reports: [CommunReport] { state.withLock { $0.kept.reports } }

    /// Keeps what is to be told, and that the message is seen.
    func note(_ report: CommunReport) {
        keep { kept in
            if !kept.seen.contains(report.seenKey) { kept.seen.append(report.seenKey) }
            if !kept.reports.contains(report) { kept.reports.append(report) }
            kept.seen.removeFirst(max(kept.seen.count - Self.seenMax, 0))
            kept.reports.removeFirst(max(kept.reports.count - Self.reportsMax, 0))
        }
    }

    /// What was told need not be told again.
    func forget(_ report: CommunReport) { keep { $0.reports.removeAll { $0 == report } } }

    private func keep(_ body: (inout Kept) -> Void) {
        state.withLock { state in
            body(&state.kept)
            guard let file else { return }
            do throws(CommunFault) {
                try KeptFile.write(state.kept, file)
            } catch {
                state.problem = error
            }
        }
    }
}
