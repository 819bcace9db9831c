import Foundation

/// What Apple's service has given up, and no server does. Here is what it says, for everyone.
enum Dropped: String, CaseIterable, Sendable {
    case notificationChanges = "fetching past notifications"
    case markingRead = "marking notifications as read"
    case badge = "setting a badge on the server"

    var error: CKError {
        CKError(.serverRejectedRequest, "\(rawValue): Apple's service no longer supports it; fetch changes instead")
    }
}
