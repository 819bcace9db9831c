/// What the service's endpoints are called in this library. A server's reason may say "create it with zones/modify", to whoever asks:
/// a program of Swift is to read a name that it can call.
enum CallNames {
    private static let calls = [
        "records/query": "records(matching:)", "records/lookup": "records(for:)", "records/modify": "modifyRecords",
        "records/changes": "recordZoneChanges", "changes/zone": "recordZoneChanges",
        "changes/database": "databaseChanges", "zones/changes": "databaseChanges", "zones/list": "allRecordZones",
        "zones/lookup": "recordZones(for:)", "zones/modify": "modifyRecordZones",
        "subscriptions/list": "allSubscriptions", "subscriptions/lookup": "subscriptions(for:)",
        "subscriptions/modify": "modifySubscriptions", "users/caller": "userRecordID", "users/current": "userRecordID",
        // Files are sent with the records that hold them.
        "assets/upload": "modifyRecords", "assets/rereference": "modifyRecords",
        "tokens/create": "remoteNotifications", "tokens/register": "remoteNotifications",
    ]

    /// The same text with calls in the place of endpoints. Addresses of the web, and words of other services, stay as they are.
    static func named(in reason: String) -> String {
        guard reason.contains("/") else { return reason }
        var (text, rest) = ("", reason[...])
        while !rest.isEmpty {
            let word = rest.prefix { isOfWord($0) }
            text += calls[String(word)] ?? String(word)
            let between = rest.dropFirst(word.count).prefix { !isOfWord($0) }
            text += between
            rest = rest.dropFirst(word.count + between.count)
        }
        return text
    }

    private static func isOfWord(_ character: Character) -> Bool { character.isLetter || character == "/" }
}
