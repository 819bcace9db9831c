/// The functions of this library for the service's endpoints. A server's reason may contain "create it with zones/modify"; a Swift
/// program gets the name of a function that it can call instead.
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
        // Files are uploaded with the records that contain them.
        "assets/upload": "CKDatabase.modifyRecords(saving:deleting:)",
        "assets/rereference": "CKDatabase.modifyRecords(saving:deleting:)",
        "tokens/create": "CKContainer.remoteNotifications()", "tokens/register": "CKContainer.remoteNotifications()",
    ]

    /// What a Swift program does, for what a sender of requests does.
    static let phrases = [
        ("send a person's ckWebAuthToken", "sign a person in"), ("name public in the path", "use publicCloudDatabase"),
        ("for a new downloadURL", "for its file"), ("check the path", "check the configuration"),
        ("sign in at redirectURL for a new one", "sign in with CKContainer.signIn"),
    ]

    /// Returns the text with functions in place of endpoints, and ``phrases`` replaced. URLs, and paths of other services, are not changed.
    static func named(in reason: String) -> String {
        let reason = phrases.reduce(reason) { $0.replacing($1.0, with: $1.1) }
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
