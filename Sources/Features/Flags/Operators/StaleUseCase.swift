import Audience
import CloudKitWire
import NephosRunner
import NephosStorage

extension UseCase {
    static let staleFlags = UseCase(
        "flag stale", .reads,
        abstract: "Show flags that can be removed: expired, or serving everybody one value for 30 days.",
        discussion: "Flags with permanent = 1 are never listed.", .tenant, .output
    ) { call, tenant, output in
        let (operations, now) = (try FlagOperations(call, tenant), call.now())
        let stale = try operations.all().compactMap { flag in flag.staleness(at: now).map { (flag, $0) } }
        return output.answer(
            ["Flag", "Why", "Owner", "Changed"],
            stale.map { [$0.id, $1, $0.owner ?? "-", $0.record.modifiedAt.asDate] }, whenEmpty: "No flag is stale."
        ) { json in
            for (flag, reason) in stale {
                json.beginObject()
                json.member("id", flag.id)
                json.member("why", reason)
                if let owner = flag.owner { json.member("owner", owner) }
                json.member("changedAt", flag.record.modifiedAt)
                json.endObject()
            }
        }
    }
}

extension StoredFlag {
    private static let day: Milliseconds = 86_400_000
    /// How long a flag may serve a single value before it is stale.
    private static let unchangedMax = 30 * day

    /// Why the flag can be removed; nil if it is needed.
    fileprivate func staleness(at now: Milliseconds) -> String? {
        guard !isPermanent else { return nil }
        if let expires, expires <= now { return "it expired on \(expires.asDate.prefix(10))" }
        guard case .success(let flag) = flag, let value = flag.onlyValue(at: now) else { return nil }
        // A schedule may have switched it after the last save.
        let switched = flag.schedule.last { $0.at <= now }?.at ?? 0
        let days = (now - max(record.modifiedAt, switched)) / Self.day
        guard days >= Self.unchangedMax / Self.day else { return nil }
        return "everybody has been served \(value.text) for \(days) days"
    }
}

extension Flag {
    /// The value served to everybody, now and later; nil if it may depend on people, other flags or time.
    fileprivate func onlyValue(at now: Milliseconds) -> Variant? {
        let mayBeSwitched = schedule.contains { $0.at > now }
        guard isOn(at: now) || mayBeSwitched else { return offVariant }
        guard prerequisites.isEmpty else { return nil }
        var served = mayBeSwitched ? [offVariant] : []
        // Anything after a rule for everybody is never served.
        if !rules.contains(where: { $0.when == nil }) { served.append(defaultVariant) }
        for rule in rules {
            served += servedVariants(of: rule)
            if rule.when == nil { break }
        }
        guard let first = served.first, served.allSatisfy({ $0.json == first.json }) else { return nil }
        return first
    }
}
