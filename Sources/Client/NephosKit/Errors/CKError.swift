public import Foundation

/// Why something failed. Everything that this library throws, or gives to a block, is one.
public struct CKError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) {
        precondition(error.domain == CKErrorDomain, "an error of domain \(error.domain) is not a CKError")
        _nsError = error
    }

    public static var errorDomain: String { CKErrorDomain }
    public static var _nsErrorDomain: String { CKErrorDomain }

    /// Says what kind of failure an error is. ``CKError/advice`` says what to do about it. Numbers are Apple's.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CKError

        /// The library or the server did something that it should not, or an answer cannot be read.
        case internalError = 1
        /// Some items failed; ``CKError/partialErrorsByItemID`` has an error for each of them.
        case partialFailure
        /// There is no network. Nothing was sent.
        case networkUnavailable
        /// The server was not reached, or did not answer in time. Nothing was changed.
        case networkFailure
        /// The container cannot be used by this program.
        case badContainer
        /// The service cannot take the request now; ``CKError/retryAfterSeconds`` says when to try again. Nothing was changed,
        /// unless the server lost its database while it stored a save: then the next try may be a `serverRecordChanged`.
        case serviceUnavailable
        /// Too many requests. Nothing was changed; ``CKError/retryAfterSeconds`` says when to try again.
        case requestRateLimited
        /// A setting of the container is missing or not valid; the message says which and where it is set.
        case missingEntitlement
        /// Nobody is signed in, or the session has ended.
        case notAuthenticated
        /// The person may not do this, or refused a sign-in.
        case permissionFailure
        /// There is no such record, subscription or record type.
        case unknownItem
        /// The request holds something that cannot be; the message says what. Trying again fails again.
        case invalidArguments
        /// More was found than one answer holds. Nephos never sends it: its answers come in pages.
        case resultsTruncated
        /// The server has another version of the record: merge into ``CKError/serverRecord``, and save that.
        case serverRecordChanged
        /// The service refused the request; so does everything around sharing, which is not there yet.
        case serverRejectedRequest
        /// The file of a ``CKAsset`` that was to be saved does not exist.
        case assetFileNotFound
        /// The file of a ``CKAsset`` changed while it was sent.
        case assetFileModified
        /// The service does not work with this version of the program.
        case incompatibleVersion
        /// A rule of the schema forbids the value, such as one that must be unique.
        case constraintViolation
        /// The operation or its task was cancelled.
        case operationCancelled
        /// The change token is too old or of another person: forget it, and fetch from the beginning.
        case changeTokenExpired
        /// The item itself was fine, and another one of its atomic batch was not.
        case batchRequestFailed
        /// The zone is busy with another change. Nothing was changed.
        case zoneBusy
        /// The database cannot do this; for example, zones are created in the private one only.
        case badDatabase
        /// The person or the container has no room left.
        case quotaExceeded
        /// There is no such zone.
        case zoneNotFound
        /// More than a limit permits, which the message names: of one request, which is to be split, or of what the server
        /// keeps. Nothing was changed.
        case limitExceeded
        /// The person removed what the app had stored in the zone.
        case userDeletedZone
        /// The share has as many participants as it can have.
        case tooManyParticipants
        /// The record is part of another share already.
        case alreadyShared
        /// A reference names a record that does not exist, or a record is still named by another.
        case referenceViolation
        /// An account that somebody else manages does not permit this.
        case managedAccountRestricted
        /// The person has to confirm who they are before they can take part in the share.
        case participantMayNeedVerification
        /// A change was sent and its answer was lost: it may have been made. Never tried again by itself.
        case serverResponseLost
        /// The file of a record cannot be fetched from the server.
        case assetNotAvailable
        /// The account needs the person's attention first.
        case accountTemporarilyUnavailable
        /// The person has been invited to the share already.
        case participantAlreadyInvited
    }

    /// Errors by item, of a ``Code/partialFailure``.
    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }

    /// Of a ``Code/serverRecordChanged``: the record as it was when it was fetched, before this program changed it.
    public var ancestorRecord: CKRecord? { userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord }
    /// The one to merge changes into and to save.
    public var serverRecord: CKRecord? { userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord }
    /// Of a ``Code/serverRecordChanged``: the record that was to be saved.
    public var clientRecord: CKRecord? { userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord }
    /// Seconds after which to try again; nil where nobody said so.
    public var retryAfterSeconds: Double? { (userInfo[CKErrorRetryAfterKey] as? NSNumber)?.doubleValue }
}

extension CKError {
    /// - Parameter message: What is told to people, as `localizedDescription`.
    init(_ code: Code, _ message: String, _ more: [String: Any] = [:]) {
        self.init(code, userInfo: more.merging([NSLocalizedDescriptionKey: message]) { $1 })
    }

    /// The code ``Code/internalError``, for patterns in `catch` and `case`.
    public static var internalError: Code { .internalError }
    /// The code ``Code/partialFailure``, for patterns in `catch` and `case`.
    public static var partialFailure: Code { .partialFailure }
    /// The code ``Code/networkUnavailable``, for patterns in `catch` and `case`.
    public static var networkUnavailable: Code { .networkUnavailable }
    /// The code ``Code/networkFailure``, for patterns in `catch` and `case`.
    public static var networkFailure: Code { .networkFailure }
    /// The code ``Code/badContainer``, for patterns in `catch` and `case`.
    public static var badContainer: Code { .badContainer }
    /// The code ``Code/serviceUnavailable``, for patterns in `catch` and `case`.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// The code ``Code/requestRateLimited``, for patterns in `catch` and `case`.
    public static var requestRateLimited: Code { .requestRateLimited }
    /// The code ``Code/missingEntitlement``, for patterns in `catch` and `case`.
    public static var missingEntitlement: Code { .missingEntitlement }
    /// The code ``Code/notAuthenticated``, for patterns in `catch` and `case`.
    public static var notAuthenticated: Code { .notAuthenticated }
    /// The code ``Code/permissionFailure``, for patterns in `catch` and `case`.
    public static var permissionFailure: Code { .permissionFailure }
    /// The code ``Code/unknownItem``, for patterns in `catch` and `case`.
    public static var unknownItem: Code { .unknownItem }
    /// The code ``Code/invalidArguments``, for patterns in `catch` and `case`.
    public static var invalidArguments: Code { .invalidArguments }
    /// The code ``Code/resultsTruncated``, for patterns in `catch` and `case`.
    public static var resultsTruncated: Code { .resultsTruncated }
    /// The code ``Code/serverRecordChanged``, for patterns in `catch` and `case`.
    public static var serverRecordChanged: Code { .serverRecordChanged }
    /// The code ``Code/serverRejectedRequest``, for patterns in `catch` and `case`.
    public static var serverRejectedRequest: Code { .serverRejectedRequest }
    /// The code ``Code/assetFileNotFound``, for patterns in `catch` and `case`.
    public static var assetFileNotFound: Code { .assetFileNotFound }
    /// The code ``Code/assetFileModified``, for patterns in `catch` and `case`.
    public static var assetFileModified: Code { .assetFileModified }
    /// The code ``Code/incompatibleVersion``, for patterns in `catch` and `case`.
    public static var incompatibleVersion: Code { .incompatibleVersion }
    /// The code ``Code/constraintViolation``, for patterns in `catch` and `case`.
    public static var constraintViolation: Code { .constraintViolation }
    /// The code ``Code/operationCancelled``, for patterns in `catch` and `case`.
    public static var operationCancelled: Code { .operationCancelled }
    /// The code ``Code/changeTokenExpired``, for patterns in `catch` and `case`.
    public static var changeTokenExpired: Code { .changeTokenExpired }
    /// The code ``Code/batchRequestFailed``, for patterns in `catch` and `case`.
    public static var batchRequestFailed: Code { .batchRequestFailed }
    /// The code ``Code/zoneBusy``, for patterns in `catch` and `case`.
    public static var zoneBusy: Code { .zoneBusy }
    /// The code ``Code/badDatabase``, for patterns in `catch` and `case`.
    public static var badDatabase: Code { .badDatabase }
    /// The code ``Code/quotaExceeded``, for patterns in `catch` and `case`.
    public static var quotaExceeded: Code { .quotaExceeded }
    /// The code ``Code/zoneNotFound``, for patterns in `catch` and `case`.
    public static var zoneNotFound: Code { .zoneNotFound }
    /// The code ``Code/limitExceeded``, for patterns in `catch` and `case`.
    public static var limitExceeded: Code { .limitExceeded }
    /// The code ``Code/userDeletedZone``, for patterns in `catch` and `case`.
    public static var userDeletedZone: Code { .userDeletedZone }
    /// The code ``Code/tooManyParticipants``, for patterns in `catch` and `case`.
    public static var tooManyParticipants: Code { .tooManyParticipants }
    /// The code ``Code/alreadyShared``, for patterns in `catch` and `case`.
    public static var alreadyShared: Code { .alreadyShared }
    /// The code ``Code/referenceViolation``, for patterns in `catch` and `case`.
    public static var referenceViolation: Code { .referenceViolation }
    /// The code ``Code/managedAccountRestricted``, for patterns in `catch` and `case`.
    public static var managedAccountRestricted: Code { .managedAccountRestricted }
    /// The code ``Code/participantMayNeedVerification``, for patterns in `catch` and `case`.
    public static var participantMayNeedVerification: Code { .participantMayNeedVerification }
    /// The code ``Code/serverResponseLost``, for patterns in `catch` and `case`.
    public static var serverResponseLost: Code { .serverResponseLost }
    /// The code ``Code/assetNotAvailable``, for patterns in `catch` and `case`.
    public static var assetNotAvailable: Code { .assetNotAvailable }
    /// The code ``Code/accountTemporarilyUnavailable``, for patterns in `catch` and `case`.
    public static var accountTemporarilyUnavailable: Code { .accountTemporarilyUnavailable }
    /// The code ``Code/participantAlreadyInvited``, for patterns in `catch` and `case`.
    public static var participantAlreadyInvited: Code { .participantAlreadyInvited }
}
