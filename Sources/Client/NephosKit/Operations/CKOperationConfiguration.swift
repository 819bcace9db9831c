public import Foundation
import NephosTransport

/// How an operation runs. Values that are not set here are taken from the operation's group, or else from the defaults.
///
/// The class is declared at the top level; write `CKOperation.Configuration`.
public final class CKOperationConfiguration: NSObject, NSCopying, @unchecked Sendable {
    /// The values that were set; nil for those that were not.
    struct Members: Sendable {
        /// The container that an operation runs in.
        var containerOrDefault: CKContainer { container ?? .default() }

        var container: CKContainer?
        var qualityOfService: QualityOfService?
        var allowsCellularAccess: Bool?
        var isLongLived: Bool?
        var timeoutIntervalForRequest: TimeInterval?
        var timeoutIntervalForResource: TimeInterval?

        func completed(by other: Members?) -> Members {
            guard let other else { return self }
            return Members(
                container: container ?? other.container, qualityOfService: qualityOfService ?? other.qualityOfService,
                allowsCellularAccess: allowsCellularAccess ?? other.allowsCellularAccess,
                isLongLived: isLongLived ?? other.isLongLived,
                timeoutIntervalForRequest: timeoutIntervalForRequest ?? other.timeoutIntervalForRequest,
                timeoutIntervalForResource: timeoutIntervalForResource ?? other.timeoutIntervalForResource)
        }
    }

    /// Seven days.
    static let resourceTimeout: TimeInterval = 7 * 24 * 3_600

    private let stored: Locked<Members>
    var members: Members { stored.value }

    public override convenience init() { self.init(Members()) }

    init(_ members: Members) { stored = Locked(members) }

    /// - Parameter change: Changes the values. It must not access this configuration.
    func set(_ change: (inout Members) -> Void) { stored.withLock(change) }

    /// The container for an operation that was not added to a database or a container.
    public var container: CKContainer? {
        get { members.container }
        set { set { $0.container = newValue } }
    }
    /// Whether temporary failures are retried. With `.default`, `.utility` and `.background`, a request that
    /// temporarily cannot be carried out is retried until ``timeoutIntervalForResource`` has expired; with
    /// `.userInitiated` and `.userInteractive`, it fails immediately.
    public var qualityOfService: QualityOfService {
        get { members.qualityOfService ?? .default }
        set { set { $0.qualityOfService = newValue } }
    }
    /// Has no effect: networks do not report what they cost.
    public var allowsCellularAccess: Bool {
        get { members.allowsCellularAccess ?? true }
        set { set { $0.allowsCellularAccess = newValue } }
    }
    /// Whether the operation is to outlive the program. Such operations are not supported yet: they fail.
    public var isLongLived: Bool {
        get { members.isLongLived ?? false }
        set { set { $0.isLongLived = newValue } }
    }
    /// The number of seconds without any data transfer after which a request fails; 60 by default. A value that is not
    /// more than 0 fails with `invalidArguments`; more than a year counts as a year.
    public var timeoutIntervalForRequest: TimeInterval {
        get { members.timeoutIntervalForRequest ?? 60 }
        set { set { $0.timeoutIntervalForRequest = newValue } }
    }
    /// The maximum duration of the whole operation in seconds; seven days by default. A value that is not more than 0
    /// fails with `invalidArguments`; more than a year counts as a year. If the time expires while a change is in
    /// progress, the operation fails with `serverResponseLost`, otherwise with `networkFailure`.
    public var timeoutIntervalForResource: TimeInterval {
        get { members.timeoutIntervalForResource ?? Self.resourceTimeout }
        set { set { $0.timeoutIntervalForResource = newValue } }
    }

    public func copy(with zone: NSZone? = nil) -> Any { CKOperationConfiguration(members) }
}

extension CKOperationConfiguration.Members {
    /// The time without any data transfer after which a request fails, in seconds.
    var requestTime: TimeInterval {
        get throws(CKError) { try Self.checked(timeoutIntervalForRequest ?? 60, "timeoutIntervalForRequest") }
    }

    /// The maximum duration of the operation, in seconds; nil if none was set.
    var resourceTime: TimeInterval? {
        get throws(CKError) {
            guard let timeoutIntervalForResource else { return nil }
            return try Self.checked(timeoutIntervalForResource, "timeoutIntervalForResource")
        }
    }

    /// - Throws: `invalidArguments` for a value that is not a number, or not more than 0.
    private static func checked(_ seconds: TimeInterval, _ name: String) throws(CKError) -> TimeInterval {
        guard seconds > 0 else {
            throw CKError(.invalidArguments, "\(name) is \(seconds): set more than 0 seconds, or do not set it")
        }
        // Clocks count in integers, which overflow for times that are too long.
        return min(seconds, 365 * 24 * 3_600)
    }
}
