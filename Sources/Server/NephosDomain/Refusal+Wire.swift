public import CloudKitWire
import NephosStorage

extension Refusal {
    /// The refusal of a request that cannot be parsed, or exceeds a limit.
    public init(_ error: WireError) {
        self = error.isLimit ? .limitExceeded(error.reason) : .badRequest(error.reason)
    }

    /// The code that every client sees. Exhaustive on purpose: a new case must choose before it compiles.
    public var serverErrorCode: ServerErrorCode {
        switch self {
        case .badRequest, .recordTypeNotFound, .constraintViolation, .limitExceeded, .tokenExpired, .tokenInvalid,
            .serverRejected, .badDatabase, .tooManyParticipants:
            .badRequest
        case .authenticationFailed: .authenticationFailed
        case .authenticationRequired: .authenticationRequired
        case .accessDenied: .accessDenied
        case .recordNotFound, .notFound, .addressNotVerified: .notFound
        case .zoneNotFound: .zoneNotFound
        case .recordExists, .alreadyShared: .exists
        case .conflict: .conflict
        case .atomicFailure: .atomicError
        case .referenceViolation: .validatingReferenceError
        case .tryAgainLater, .zoneBusy: .tryAgainLater
        case .throttled: .throttled
        case .failed: .internalError
        }
    }

    /// The number of the `CKError.Code` that a client library reports, for cases that `serverErrorCode` does not distinguish;
    /// only sent to clients that ask for it (docs/protocol.md, "Extra keys").
    public var ckErrorCode: Int {
        switch self {
        case .failed: 1  // internalError
        case .tryAgainLater: 6  // serviceUnavailable
        case .throttled: 7  // requestRateLimited
        case .authenticationFailed, .authenticationRequired: 9  // notAuthenticated
        case .accessDenied: 10  // permissionFailure
        case .recordNotFound, .notFound, .recordTypeNotFound: 11  // unknownItem
        case .badRequest, .tokenInvalid: 12  // invalidArguments
        case .conflict, .recordExists: 14  // serverRecordChanged
        case .serverRejected: 15  // serverRejectedRequest
        case .constraintViolation: 19  // constraintViolation
        case .tokenExpired: 21  // changeTokenExpired
        case .atomicFailure: 22  // batchRequestFailed
        case .zoneBusy: 23  // zoneBusy
        case .badDatabase: 24  // badDatabase
        case .zoneNotFound: 26  // zoneNotFound
        case .limitExceeded: 27  // limitExceeded
        case .tooManyParticipants: 29  // tooManyParticipants
        case .alreadyShared: 30  // alreadyShared
        case .referenceViolation: 31  // referenceViolation
        case .addressNotVerified: 33  // participantMayNeedVerification
        }
    }

    /// What happened, what was expected, what to do.
    public var reason: String {
        switch self {
        case .badRequest(let reason), .constraintViolation(let reason), .limitExceeded(let reason),
            .authenticationFailed(let reason), .accessDenied(let reason), .referenceViolation(let reason),
            .tokenInvalid(let reason), .notFound(let reason), .alreadyShared(let reason, _),
            .serverRejected(let reason),
            .badDatabase(let reason), .tooManyParticipants(let reason):
            reason
        case .authenticationRequired:
            "request needs authorization: no ckWebAuthToken was sent, or it is not valid or has ended; sign in at redirectURL for a new one"
        case .recordTypeNotFound(let name):
            "did not find record type: \(name); check the spelling, or save a record of it in development or import a schema; production needs a deploy as well"
        case .recordNotFound: "Record not found: check recordName and zoneID; it may have been deleted"
        case .addressNotVerified:
            "your e-mail address was invited, and it was never verified that it is yours: open /recover on this server, follow the link in the mail, sign in again, and open the share's address again"
        case .zoneNotFound(let name, .create): "Zone '\(name)' does not exist; create it with zones/modify"
        case .zoneNotFound(let name, .useDefault):
            "Zone '\(name)' does not exist; the public database has only \(defaultZoneName)"
        case .zoneNotFound(let name, .omitOwner(let owner)):
            "Zone '\(name)' of owner '\(owner.excerpt)' is not in your private database; leave out ownerRecordName for a zone of your own; zones that others share with you are in the shared database"
        case .zoneNotFound(let name, .nameOwner):
            "Zone '\(name)' is not in your shared database: name its owner in ownerRecordName; zones of your own are in the private database, and what was shared with you may not be any more"
        case .zoneNotFound(let name, .none): "Zone '\(name)' does not exist"
        case .recordExists(nil):
            "record to insert already exists, and you may not read it: choose another recordName; if it is a record of the public database, a role that may read it shows it (nephos role assign)"
        case .recordExists:
            "record to insert already exists: update it with its recordChangeTag, or choose another recordName"
        case .conflict:
            "client oplock error updating record: the record has another recordChangeTag; fetch it, apply your change again, and send its recordChangeTag"
        case .atomicFailure:
            "another operation of this atomic request failed; nothing in the zone was saved: correct that one, and send all again"
        case .tokenExpired: "sync token is expired: start again without one"
        case .tryAgainLater(let reason, _), .zoneBusy(let reason, _), .throttled(let reason, _): reason
        case .failed:
            "The server failed, and may have carried out the request or not: check before you repeat it; its operator finds the cause in the log under this uuid"
        }
    }

    /// The server's record, if it is the reason.
    public var serverRecord: ServerRecord? {
        switch self {
        case .conflict(let record), .recordExists(let record), .alreadyShared(_, let record): record
        default: nil
        }
    }

    /// Seconds after which to retry; nil if a retry would not help.
    public var retryAfter: Int? {
        switch self {
        case .tryAgainLater(_, let seconds), .zoneBusy(_, let seconds), .throttled(_, let seconds): seconds
        default: nil
        }
    }
}
