import CloudKit

/// `subscribe` is a launch; `push FILE` is a launch by a push with the payload in the file; `infos` saves two subscriptions.
func runFollowing(_ arguments: [String]) throws {
    let client = SyncClient()
    switch arguments.first {
    case "subscribe":
        client.subscribe()
        print("launched")
    case "push":
        let payload = try Data(contentsOf: URL(fileURLWithPath: arguments[1]))
        let userInfo = try JSONSerialization.jsonObject(with: payload) as? [NSObject: AnyObject] ?? [:]
        client.application(UIApplication(), didReceiveRemoteNotification: userInfo) { print("handled", $0) }
    default:
        save(silentInfo(), "silent", client.sharedDB)
        save(visibleInfo(), "visible", client.sharedDB)
    }
}

private func save(_ info: CKNotificationInfo, _ id: String, _ database: CKDatabase) {
    let subscription = CKDatabaseSubscription(subscriptionID: id)
    subscription.notificationInfo = info
    database.save(subscription) { _, error in print(error.map { "failed: \($0)" } ?? "saved \(id)") }
}
