public import Foundation
import NephosTransport

/// Work for the service. Set it up, set blocks, and add it to a database, a container or a queue; it runs once.
///
/// Blocks run one after the other on a queue of the operation: those of items first, then the one of the result, then
/// `completionBlock`. The operation is finished when the block of the result has returned. What is set after it began means
/// nothing.
open class CKOperation: Operation, @unchecked Sendable {
    /// The type of ``operationID``.
    public typealias ID = String
    /// The type of ``configuration``.
    public typealias Configuration = CKOperationConfiguration

    /// A new random ID for each operation.
    public let operationID: ID = UUID().uuidString

    private struct State {
        var configuration = CKOperationConfiguration()
        var group: CKOperationGroup?
        var phase = Phase.ready
        var task: Task<Void, Never>?
        var hasTimedOut = false
        var whenConcluded: (@Sendable (CKError?) -> Void)?
    }

    private enum Phase { case ready, executing, finished }

    private let state = Locked(State())
    private let blocks = DispatchQueue(label: "nephos.operation")

    init(_: Void) { super.init() }

    // MARK: Configuration

    /// A copy of what is set is kept. Nil sets everything back.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var configuration: CKOperation.Configuration! {
        get { state.value.configuration }
        set { state.withLock { $0.configuration = CKOperationConfiguration(newValue?.members ?? .init()) } }
    }

    /// The group it belongs to, whose configuration counts where the operation has none of its own.
    public var group: CKOperationGroup? {
        get { state.value.group }
        set { state.withLock { $0.group = newValue } }
    }

    /// Never called: operations that outlive the program are not there yet.
    public var longLivedOperationWasPersistedBlock: (() -> Void)?

    open override var qualityOfService: QualityOfService {
        get { settings.qualityOfService ?? .default }
        set { set { $0.qualityOfService = newValue } }
    }

    func set(_ change: (inout CKOperationConfiguration.Members) -> Void) {
        state.value.configuration.set(change)
    }

    /// What was set here, else in the group.
    var settings: CKOperationConfiguration.Members {
        let state = state.value
        return state.configuration.members.completed(by: state.group?.defaults)
    }

    // MARK: Running

    /// Who is asked; nil for operations that ask nobody.
    var service: Service? { nil }

    /// Does the work, and calls the blocks of items by ``call(_:)``.
    func perform(_ terms: Service.Terms) async throws(CKError) {}

    /// Calls the blocks of the result. Runs on the queue of blocks.
    func conclude(_ error: CKError?) {}

    /// Internal listeners, which are told after the blocks of the result.
    func whenConcluded(_ body: @escaping @Sendable (CKError?) -> Void) {
        state.withLock { $0.whenConcluded = body }
    }

    /// Runs blocks on their queue, and waits for them.
    func call(_ body: @escaping () -> Void) async {
        let body = Unchecked(body)
        await withCheckedContinuation { continuation in
            blocks.async {
                body.value()
                continuation.resume()
            }
        }
    }

    /// Runs a block on the queue of blocks, some time: for progress.
    func callLater(_ body: @escaping @Sendable () -> Void) { blocks.async(execute: body) }

    public final override var isAsynchronous: Bool { true }
    public final override var isExecuting: Bool { state.value.phase == .executing }
    public final override var isFinished: Bool { state.value.phase == .finished }

    public final override func start() {
        let isFirst = state.withLock { state in
            guard state.phase == .ready else { return false }
            state.phase = .executing
            return true
        }
        guard isFirst else { return }
        willChangeValue(forKey: "isExecuting")
        didChangeValue(forKey: "isExecuting")
        let task = Task { await run() }
        // Its time may be over before anybody could cancel it.
        let isLate = state.withLock { state in
            state.task = task
            return state.hasTimedOut
        }
        if isCancelled || isLate { task.cancel() }
    }

    public final override func cancel() {
        super.cancel()
        state.value.task?.cancel()
    }

    private func run() async {
        let outcome = await outcome()
        await call {
            self.conclude(outcome)
            self.state.withLock { state in
                defer { state.whenConcluded = nil }
                return state.whenConcluded
            }?(outcome)
        }
        finish()
    }

    /// Does the work within its time. - Returns: Why it failed; nil when it did not.
    private func outcome() async -> CKError? {
        if isCancelled { return .cancelled }
        let settings = settings
        if settings.isLongLived == true {
            return CKError(
                .invalidArguments, "long-lived operations are not supported yet: set isLongLived to false")
        }
        do throws(CKError) {
            let terms = try terms(settings)
            let alarm = try settings.resourceTime.map { seconds in Task { await giveUp(after: seconds) } }
            defer { alarm?.cancel() }
            try await perform(terms)
            return nil
        } catch {
            if isCancelled { return .cancelled }
            guard state.value.hasTimedOut, error.code == .operationCancelled else { return error }
            return CKError(.networkFailure, "the operation exceeded timeoutIntervalForResource")
        }
    }

    private func terms(_ settings: CKOperationConfiguration.Members) throws(CKError) -> Service.Terms {
        let limit = try settings.resourceTime ?? CKOperationConfiguration.resourceTimeout
        let isUrgent =
            settings.qualityOfService == .userInteractive || settings.qualityOfService == .userInitiated
        return Service.Terms(
            timeout: min(try settings.requestTime, limit), patience: isUrgent ? nil : Date().addingTimeInterval(limit),
            session: service?.session, isOver: { [state] in state.value.hasTimedOut })
    }

    private func giveUp(after seconds: TimeInterval) async {
        guard let service, (try? await service.countdown(seconds)) != nil else { return }
        state.withLock { $0.hasTimedOut = true }
        state.value.task?.cancel()
    }

    private func finish() {
        willChangeValue(forKey: "isExecuting")
        willChangeValue(forKey: "isFinished")
        state.withLock { state in
            state.phase = .finished
            state.task = nil
        }
        didChangeValue(forKey: "isFinished")
        didChangeValue(forKey: "isExecuting")
    }
}

/// A value that is handed from one thread to one other.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

// MARK: Names of before `configuration`

extension CKOperation {
    /// The container it runs in.
    @available(*, deprecated, message: "Use configuration.container.")
    public var container: CKContainer? {
        get { settings.container }
        set { set { $0.container = newValue } }
    }
    /// Means nothing here; see ``CKOperationConfiguration/allowsCellularAccess``.
    @available(*, deprecated, message: "Use configuration.allowsCellularAccess.")
    public var allowsCellularAccess: Bool {
        get { settings.allowsCellularAccess ?? true }
        set { set { $0.allowsCellularAccess = newValue } }
    }
    /// Whether it is to outlive the program; such an operation fails with `invalidArguments`.
    @available(*, deprecated, message: "Use configuration.isLongLived.")
    public var isLongLived: Bool {
        get { settings.isLongLived ?? false }
        set { set { $0.isLongLived = newValue } }
    }
    /// Seconds in which nothing moves, after which a request is given up; 60 by default.
    @available(*, deprecated, message: "Use configuration.timeoutIntervalForRequest.")
    public var timeoutIntervalForRequest: TimeInterval {
        get { settings.timeoutIntervalForRequest ?? 60 }
        set { set { $0.timeoutIntervalForRequest = newValue } }
    }
    /// Seconds for the whole operation; seven days by default.
    @available(*, deprecated, message: "Use configuration.timeoutIntervalForResource.")
    public var timeoutIntervalForResource: TimeInterval {
        get { settings.timeoutIntervalForResource ?? CKOperationConfiguration.resourceTimeout }
        set { set { $0.timeoutIntervalForResource = newValue } }
    }
}
