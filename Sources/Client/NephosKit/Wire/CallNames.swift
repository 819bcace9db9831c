/// What the service's endpoints are called in this library. A server's reason may say "create it with zones/modify", to whoever asks:
/// a program of Swift is to read a name that it can call.
enum CallNames {
    private static let calls = [
        "records/query": "CKDatabase.records(matching:)", "records/lookup": "CKDatabase.records(for:)",
        "records/modify": "CKDatabase.modifyRecords(saving:deleting:)",
        "records/changes": "CKDatabase.recordZoneChanges(inZoneWith:since:)",
        "changes/zone": "CKDatabase.recordZoneChanges(inZoneWith:since:)",
        "changes/database": "CKDatabase.databaseChanges(since:)", "zones/changes": "CKDatabase.databaseChanges(since:)",
        "zones/list": "CKDatabase.allRecordZones()", "zones/lookup": "CKDatabase.recordZones(for:)",
        "zones/modify": "CKDatabase.modifyRecordZones(saving:deleting:)",
        "subscriptions/list": "CKDatabase.allSubscriptions()",
        "subscriptions/lookup": "CKDatabase.subscriptions(for:)",
        "subscriptions/modify": "CKDatabase.modifySubscriptions(saving:deleting:)",
        "users/caller": "CKContainer.userRecordID()", "users/current": "CKContainer.userRecordID()",
        // Files are sent with the records that hold them.
        "assets/upload": "CKDatabase.modifyRecords(saving:deleting:)",
        "assets/rereference": "CKDatabase.modifyRecords(saving:deleting:)",
        "tokens/create": "CKContainer.remoteNotifications()", "tokens/register": "CKContainer.remoteNotifications()",
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
