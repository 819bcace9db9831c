/// Local time in a time zone.
package struct LocalTime: Sendable {
    private let zone: ZoneOffsets
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    /// - Parameter zone: A name of the time zone database, such as `Europe/Berlin`; nil for an unknown one. Abbreviations such as `CET`
    ///   are not names: several zones have the same.
    package init?(zone name: String) {
        guard let zone = TimeZones.offsets(of: name) else { return nil }
        self.zone = zone
    }

    /// The first time at which clocks show this, in milliseconds since 1970; if they skip it, the time of the switch.
    ///
    /// - Parameters:
    ///   - days: Since 1970.
    ///   - minutes: Since midnight; any number.
    package func moment(_ days: Int64, _ minutes: Int64) -> Int64 {
        let shown = days * Self.day + minutes * Self.minute
        let before = shown - offset(at: shown - Self.day)
        if offset(at: before) == shown - before { return before }
        let after = shown - offset(at: shown + Self.day)
        if offset(at: after) == shown - after { return after }
        // Clocks are set forward between the two.
        var (low, high) = (min(before, after), max(before, after))
        let late = offset(at: high)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle) == late { high = middle } else { low = middle }
        }
        return high
    }

    /// The local time at a moment, as milliseconds since 1970-01-01 local time.
    package func shown(at moment: Int64) -> Int64 { moment + offset(at: moment) }

    private func offset(at moment: Int64) -> Int64 {
        // Whole seconds, at which time zones change.
        zone.seconds(at: moment >= 0 ? moment / 1_000 : (moment - 999) / 1_000) * 1_000
    }
}
