public import Foundation

extension CKError {
    /// For ``Code/serverRecordChanged`` of a `CKShare` of records: the shared record on the server, so that both can be saved again.
    ///
    /// Apple's library does not have this property.
    public var sharedRecord: CKRecord? { userInfo[Self.sharedRecordKey] as? CKRecord }

    static let sharedRecordKey = "SharedRecord"

    /// How a program can respond to an error.
    public enum Advice: Sendable, Equatable {
        /// Try the same again after this number of seconds. After `serverResponseLost`, the change may have been saved
        /// already: in that case, the second attempt fails with a conflict, or changes nothing.
        case retry(after: TimeInterval)
        /// Apply the change to ``CKError/serverRecord``, and save that record.
        case merge
        /// Discard the change token and what was fetched with it, and fetch from the beginning.
        case fetchAgain
        /// Split the items into two halves, and try each half.
        case split
        /// Handle the errors in ``CKError/partialErrorsByItemID``: each item has its own error and advice.
        case lookIntoItems
        /// Only a person can help, such as one who is signed out, has no storage left, or lacks permission.
        case tellThePerson
        /// The item does not exist any more; continue without it.
        case forgetIt
        /// The program requested something that is not possible.
        case fixTheCode
        /// Do nothing: the operation did not fail, but was cancelled.
        case nothing
    }

    /// How a program can respond to this error. A retry waits as long as the service requested, or one second.
    public var advice: Advice {
        switch code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .zoneBusy,
            .serverResponseLost, .batchRequestFailed:
            .retry(after: retryAfterSeconds ?? 1)
        case .serverRecordChanged: .merge
        case .changeTokenExpired: .fetchAgain
        case .limitExceeded: .split
        case .partialFailure: .lookIntoItems
        case .notAuthenticated, .permissionFailure, .quotaExceeded, .accountTemporarilyUnavailable,
            .managedAccountRestricted, .participantMayNeedVerification, .incompatibleVersion, .tooManyParticipants,
            .participantAlreadyInvited, .alreadyShared, .userDeletedZone:
            .tellThePerson
        case .unknownItem, .assetFileNotFound, .assetNotAvailable, .zoneNotFound: .forgetIt
        case .operationCancelled: .nothing
        case .assetFileModified: .retry(after: retryAfterSeconds ?? 1)
        case .internalError, .badContainer, .missingEntitlement, .invalidArguments, .resultsTruncated,
            .serverRejectedRequest, .constraintViolation, .badDatabase, .referenceViolation:
            retryAfterSeconds.map { .retry(after: $0) } ?? .fixTheCode
        }
    }
}
