import Foundation

/// Features that Apple's service no longer supports and that no server provides, with the error of their operations.
enum Dropped: String, CaseIterable, Sendable {
    case notificationChanges = "fetching past notifications"
    case markingRead = "marking notifications as read"
    case badge = "setting a badge on the server"

    var error: CKError {
        CKError(.serverRejectedRequest, "\(rawValue): Apple's service no longer supports it; fetch changes instead")
    }
}
