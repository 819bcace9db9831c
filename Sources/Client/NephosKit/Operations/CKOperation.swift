public import Foundation
import NephosTransport

/// A unit of work for the service. Set its properties and blocks, and add it to a database, a container or a queue. An
/// operation runs once.
///
/// The blocks run one at a time on a queue of the operation: first those of the items, then that of the result.
/// `completionBlock` is called last. The operation is finished when the block of the result has returned. Set all
/// properties before the operation starts: later changes have no defined effect.
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

    /// How the operation runs. The operation stores a copy of the value; nil resets everything.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var configuration: CKOperation.Configuration! {
        get { state.value.configuration }
        set { state.withLock { $0.configuration = CKOperationConfiguration(newValue?.members ?? .init()) } }
    }

    /// The group that the operation belongs to. Its configuration applies to what the operation does not set itself.
    public var group: CKOperationGroup? {
        get { state.value.group }
        set { state.withLock { $0.group = newValue } }
    }

    /// Never called: long-lived operations, which outlive the program, are not supported yet.
    public var longLivedOperationWasPersistedBlock: (() -> Void)?

    open override var qualityOfService: QualityOfService {
        get { settings.qualityOfService ?? .default }
        set { set { $0.qualityOfService = newValue } }
    }

    func set(_ change: (inout CKOperationConfiguration.Members) -> Void) {
        state.value.configuration.set(change)
    }

    /// The settings of the operation, completed by those of its group.
    var settings: CKOperationConfiguration.Members {
        let state = state.value
        return state.configuration.members.completed(by: state.group?.defaults)
    }

    // MARK: Running

    /// The service that the operation sends requests to; nil if it sends none.
    var service: Service? { nil }

    /// Does the work, and calls the blocks of items with ``call(_:)``.
    func perform(_ terms: Service.Terms) async throws(CKError) {}

    /// Calls the blocks of the result. Runs on the queue of blocks.
    func conclude(_ error: CKError?) {}

    /// Sets an internal listener, which is called after the blocks of the result.
    func whenConcluded(_ body: @escaping @Sendable (CKError?) -> Void) {
        state.withLock { $0.whenConcluded = body }
    }

    /// Runs a closure on the queue of blocks, and waits until it has returned.
    func call(_ body: @escaping () -> Void) async {
        let body = Unchecked(body)
        await withCheckedContinuation { continuation in
            blocks.async {
                body.value()
                continuation.resume()
            }
        }
    }

    /// Runs a closure on the queue of blocks without waiting for it. Used for progress.
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
        // The operation may have been cancelled, or its time may have expired, before the task was stored.
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

    /// Does the work within the time of the operation.
    ///
    /// - Returns: The error; nil if the operation succeeded.
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

/// Wraps a value that is passed from one thread to one other thread.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

// MARK: Older names of settings in `configuration`

extension CKOperation {
    /// The container that the operation runs in.
    @available(*, deprecated, message: "Use configuration.container.")
    public var container: CKContainer? {
        get { settings.container }
        set { set { $0.container = newValue } }
    }
    /// Has no effect; see ``CKOperationConfiguration/allowsCellularAccess``.
    @available(*, deprecated, message: "Use configuration.allowsCellularAccess.")
    public var allowsCellularAccess: Bool {
        get { settings.allowsCellularAccess ?? true }
        set { set { $0.allowsCellularAccess = newValue } }
    }
    /// Whether the operation is to outlive the program. Such an operation fails with `invalidArguments`.
    @available(*, deprecated, message: "Use configuration.isLongLived.")
    public var isLongLived: Bool {
        get { settings.isLongLived ?? false }
        set { set { $0.isLongLived = newValue } }
    }
    /// The number of seconds without any data transfer after which a request fails; 60 by default.
    @available(*, deprecated, message: "Use configuration.timeoutIntervalForRequest.")
    public var timeoutIntervalForRequest: TimeInterval {
        get { settings.timeoutIntervalForRequest ?? 60 }
        set { set { $0.timeoutIntervalForRequest = newValue } }
    }
    /// The maximum duration of the whole operation in seconds; seven days by default.
    @available(*, deprecated, message: "Use configuration.timeoutIntervalForResource.")
    public var timeoutIntervalForResource: TimeInterval {
        get { settings.timeoutIntervalForResource ?? CKOperationConfiguration.resourceTimeout }
        set { set { $0.timeoutIntervalForResource = newValue } }
    }
}
