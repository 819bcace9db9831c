public import Foundation
import NephosTransport

/// How an operation runs. What is not set here is taken from the operation's group, and then from the defaults.
///
/// It stands at the top level; write `CKOperation.Configuration`.
public final class CKOperationConfiguration: NSObject, NSCopying, @unchecked Sendable {
    /// What was set; nil where nothing was.
    struct Members: Sendable {
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

    /// - Parameter change: Must not use this again.
    func set(_ change: (inout Members) -> Void) { stored.withLock(change) }

    /// Where an operation runs that was not added to a database or container.
    public var container: CKContainer? {
        get { members.container }
        set { set { $0.container = newValue } }
    }
    /// With `.default`, `.utility` and `.background`, what the service cannot take now is tried again until
    /// ``timeoutIntervalForResource`` is over; with `.userInitiated` and `.userInteractive` it fails at once.
    public var qualityOfService: QualityOfService {
        get { members.qualityOfService ?? .default }
        set { set { $0.qualityOfService = newValue } }
    }
    /// Means nothing here: no network tells what it costs.
    public var allowsCellularAccess: Bool {
        get { members.allowsCellularAccess ?? true }
        set { set { $0.allowsCellularAccess = newValue } }
    }
    /// Operations that outlive the program are not there yet: one that is to be such fails.
    public var isLongLived: Bool {
        get { members.isLongLived ?? false }
        set { set { $0.isLongLived = newValue } }
    }
    /// Seconds in which nothing moves, after which a request is given up; 60 by default. What is not more than 0 fails with
    /// `invalidArguments`; more than a year is a year.
    public var timeoutIntervalForRequest: TimeInterval {
        get { members.timeoutIntervalForRequest ?? 60 }
        set { set { $0.timeoutIntervalForRequest = newValue } }
    }
    /// Seconds for the whole operation; seven days by default. What is not more than 0 fails with `invalidArguments`; more than a
    /// year is a year. A change that is under way when it ends is `serverResponseLost`; else it is `networkFailure`.
    public var timeoutIntervalForResource: TimeInterval {
        get { members.timeoutIntervalForResource ?? Self.resourceTimeout }
        set { set { $0.timeoutIntervalForResource = newValue } }
    }

    public func copy(with zone: NSZone? = nil) -> Any { CKOperationConfiguration(members) }
}

extension CKOperationConfiguration.Members {
    /// Time in which nothing moves, in seconds.
    var requestTime: TimeInterval {
        get throws(CKError) { try Self.checked(timeoutIntervalForRequest ?? 60, "timeoutIntervalForRequest") }
    }

    /// Time of the operation, in seconds; nil where nobody has set one.
    var resourceTime: TimeInterval? {
        get throws(CKError) {
            guard let timeoutIntervalForResource else { return nil }
            return try Self.checked(timeoutIntervalForResource, "timeoutIntervalForResource")
        }
    }

    /// - Throws: `invalidArguments` for what is no time, or none at all.
    private static func checked(_ seconds: TimeInterval, _ name: String) throws(CKError) -> TimeInterval {
        guard seconds > 0 else {
            throw CKError(.invalidArguments, "\(name) is \(seconds): set more than 0 seconds, or do not set it")
        }
        // Clocks count in whole numbers, which have an end.
        return min(seconds, 365 * 24 * 3_600)
    }
}
