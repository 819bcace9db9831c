extension ZoneFeedPage {
    /// Takes the next zone of the feed, or passes over it. - Returns: False where the page was full before it.
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
