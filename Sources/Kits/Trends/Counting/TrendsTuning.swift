package import Foundation

/// Settings for tests; apps use the defaults.
package struct TrendsTuning: Sendable {
    /// In seconds. Services return a record some seconds after it was saved; this is far more.
    package var overlap: TimeInterval = 15 * 60
    /// Maximum number of records per page; 0 for the service's default.
    package var pageSize = 0
    /// Counts are stored after this many pages.
    package var pagesBetweenSaves = 25
    /// Maximum number of attempts per tracker if other devices save in the meantime.
    package var triesMax = 10
    /// Time limit in seconds for one request, including retries while the service is busy.
    package var requestTimeout: TimeInterval = 60
    /// This device's clock.
    package var now: @Sendable () -> Date = { Date() }

    package init() {}
}
