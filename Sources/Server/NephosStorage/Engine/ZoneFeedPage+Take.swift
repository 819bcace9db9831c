extension ZoneFeedPage {
    /// Adds the next zone of the feed, or skips it. - Returns: false if the page was already full.
    package mutating func take(_ zone: ZoneRow, _ scan: ZoneFeedScan) -> Bool {
        let isUnknown = zone.state != .live && zone.changedSequence <= scan.deletedAfter
        if !zone.isDefault && !isUnknown {
            more = zones.count == scan.limit
            if more { return false }
            zones.append(zone)
        }
        position = zone.changedSequence
        return true
    }
}
