import CloudKit
import FeatureSwitches
import Foundation

extension CloudFlagProvider {
    /// The ID of the subscription that ``subscribe()`` saves.
    public static let subscriptionID = "FeatureSwitches"

    /// Subscribes this user's devices to silent notifications of every change of a flag. Requires a signed-in user; the app must
    /// also register for remote notifications. May be called at each launch.
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

    /// Whether a push notification is about a change of flags; refresh the switches if so.
    public static func isAboutFlags(_ userInfo: [AnyHashable: Any]) -> Bool {
        CKNotification(fromRemoteNotificationDictionary: userInfo)?.subscriptionID == subscriptionID
    }
}
