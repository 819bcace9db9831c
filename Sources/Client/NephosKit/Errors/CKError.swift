public import Foundation

/// An error of this library. Every error that the library throws or passes to a block is a `CKError`.
public struct CKError: _BridgedStoredNSError {
    public let _nsError: NSError

    public init(_nsError error: NSError) {
        precondition(error.domain == CKErrorDomain, "an error of domain \(error.domain) is not a CKError")
        _nsError = error
    }

    public static var errorDomain: String { CKErrorDomain }
    public static var _nsErrorDomain: String { CKErrorDomain }

    /// The kind of failure. ``CKError/advice`` describes how to respond to it. The raw values are Apple's.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        public typealias _ErrorType = CKError

        /// The library or the server behaved in a way that it should not, or a response cannot be read.
        case internalError = 1
        /// Some items failed; ``CKError/partialErrorsByItemID`` contains an error for each of them.
        case partialFailure
        /// There is no network. Nothing was sent.
        case networkUnavailable
        /// The server was not reached, or did not respond in time. Nothing was changed.
        case networkFailure
        /// The container cannot be used by this program.
        case badContainer
        /// The service is temporarily unavailable; ``CKError/retryAfterSeconds`` is the time to wait before a retry.
        /// Nothing was changed, unless the server lost its database while it stored a save: in that case, the next
        /// attempt may fail with `serverRecordChanged`.
        case serviceUnavailable
        /// Too many requests. Nothing was changed; ``CKError/retryAfterSeconds`` is the time to wait before a retry.
        case requestRateLimited
        /// A setting of the container is missing or not valid; the message names the setting and where to set it.
        case missingEntitlement
        /// Nobody is signed in, or the session has ended.
        case notAuthenticated
        /// The person does not have permission to do this, or refused a sign-in.
        case permissionFailure
        /// The record, subscription or record type does not exist.
        case unknownItem
        /// The request contains something that is not valid, which the message names. A retry fails again.
        case invalidArguments
        /// More was found than one response can contain. Nephos never sends this code: its responses are paged.
        case resultsTruncated
        /// The server has another version of the record: merge the changes into ``CKError/serverRecord``, and save it.
        case serverRecordChanged
        /// The service refused the request. Requests for access and looking up people, which are not supported yet, fail with this
        /// code.
        case serverRejectedRequest
        /// The file of a ``CKAsset`` that was to be saved does not exist.
        case assetFileNotFound
        /// The file of a ``CKAsset`` changed during the upload.
        case assetFileModified
        /// The service does not support this version of the program.
        case incompatibleVersion
        /// A rule of the schema forbids the value, such as one that must be unique.
        case constraintViolation
        /// The operation or its task was cancelled.
        case operationCancelled
        /// The change token is too old or belongs to another person: discard it, and fetch from the beginning.
        case changeTokenExpired
        /// The item itself was valid, but another item of its atomic batch was not.
        case batchRequestFailed
        /// The zone is busy with another change. Nothing was changed.
        case zoneBusy
        /// The database does not support this; for example, zones can be created in the private database only.
        case badDatabase
        /// The person or the container has no storage left.
        case quotaExceeded
        /// The zone does not exist.
        case zoneNotFound
        /// A limit, which the message names, was exceeded: a limit of one request, which must be split, or of what the
        /// server stores. Nothing of that request was changed.
        case limitExceeded
        /// The person removed what the app had stored in the zone.
        case userDeletedZone
        /// The share already has the maximum number of participants.
        case tooManyParticipants
        /// The record is already part of another share.
        case alreadyShared
        /// A reference names a record that does not exist, or the record is still referenced by another record.
        case referenceViolation
        /// The account is managed by somebody else, and does not permit this.
        case managedAccountRestricted
        /// The person must verify their identity before they can participate in the share.
        case participantMayNeedVerification
        /// A change was sent and its response was lost: the change may have been made. Never retried automatically.
        case serverResponseLost
        /// The file of a record cannot be fetched from the server.
        case assetNotAvailable
        /// The account cannot be used until the person has attended to it.
        case accountTemporarilyUnavailable
        /// The person has already been invited to the share.
        case participantAlreadyInvited
    }

    /// For ``Code/partialFailure``: the errors by item.
    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }

    /// For ``Code/serverRecordChanged``: the record as it was when it was fetched, before this program changed it.
    public var ancestorRecord: CKRecord? { userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord }
    /// For ``Code/serverRecordChanged``: the record on the server; merge the changes into it, and save it. For ``Code/alreadyShared``: the
    /// share that the record is in already, a `CKShare`.
    public var serverRecord: CKRecord? { userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord }
    /// For ``Code/serverRecordChanged``: the record that was to be saved.
    public var clientRecord: CKRecord? { userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord }
    /// The number of seconds to wait before a retry; nil if the service did not specify it.
    public var retryAfterSeconds: Double? { (userInfo[CKErrorRetryAfterKey] as? NSNumber)?.doubleValue }
}

extension CKError {
    /// - Parameter message: The text for people, as `localizedDescription`.
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
