public import Foundation

extension CKError {
    /// What a program does about an error.
    public enum Advice: Sendable, Equatable {
        /// The same once more, after so many seconds. What was to be saved may be saved already after `serverResponseLost`:
        /// then the second try ends as a conflict, or changes nothing.
        case retry(after: TimeInterval)
        /// Put the change into ``CKError/serverRecord``, and save that.
        case merge
        /// Forget the change token and what was fetched with it, and fetch from the beginning.
        case fetchAgain
        /// Halve the items and try both halves.
        case split
        /// Look into ``CKError/partialErrorsByItemID``: each item has an error and advice of its own.
        case lookIntoItems
        /// Only a person can help: who is signed out, has no room left, or may not do this.
        case tellThePerson
        /// What was meant is not there any more; do without it.
        case forgetIt
        /// The program asked for something that cannot be.
        case fixTheCode
        /// Nothing failed: somebody cancelled.
        case nothing
    }

    /// What a program does about this error. Seconds are those the service asked for, else a second.
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
