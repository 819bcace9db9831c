import Foundation

/// What Apple's service has given up, and no server does. Here is what it says, for everyone.
enum Dropped: String, CaseIterable, Sendable {
    case notificationChanges = "a list of past notifications"
    case markingRead = "marking notifications as read"
    case badge = "a badge that the server keeps"

    var error: CKError {
        CKError(.serverRejectedRequest, "\(rawValue): Apple's service dropped it; fetch changes instead")
    }
}
