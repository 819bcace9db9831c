import CloudKit
import FeatureSwitches
import Foundation

extension CloudFlagProvider {
    /// Of the subscription that ``subscribe()`` saves.
    public static let subscriptionID = "FeatureSwitches"

    /// Has this person's devices told of every change of a flag, silently. Who is signed in can; an app registers for remote
    /// notifications beside it. It may be called at each launch.
    ///
    /// - Throws: CloudKit's errors.
    public func subscribe() async throws {
        let subscription = CKQuerySubscription(
            recordType: records.type, predicate: NSPredicate(value: true), subscriptionID: Self.subscriptionID,
            options: [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion])
        let info = CKSubscription.NotificationInfo()
        info.shouldSendContentAvailable = true
        subscription.notificationInfo = info
        _ = try await container.publicCloudDatabase.save(subscription)
    }

    /// Whether a push tells of a change of flags: refresh the switches then.
    public static func isAboutFlags(_ userInfo: [AnyHashable: Any]) -> Bool {
        CKNotification(fromRemoteNotificationDictionary: userInfo)?.subscriptionID == subscriptionID
    }
}
