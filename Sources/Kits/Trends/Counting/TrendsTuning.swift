package import Foundation

/// What tests set and apps leave as it is.
package struct TrendsTuning: Sendable {
    /// In seconds. Services show a record some seconds after it was saved; this is far more.
    package var overlap: TimeInterval = 15 * 60
    /// Records of a page at most; 0 leaves it to the service.
    package var pageSize = 0
    /// After so many pages what was counted is kept.
    package var pagesBetweenSaves = 25
    /// How often a tracker is counted where other devices save meanwhile.
    package var triesMax = 10
    /// Seconds for one request that the service cannot take now.
    package var patience: TimeInterval = 60
    /// This device's clock.
    package var now: @Sendable () -> Date = { Date() }

    package init() {}
}
