import CloudKitWire
import Foundation
import NephosTransport

/// What the server says went wrong, with a whole request or with one item of it.
struct ServerError: Error, Sendable {
    var code: String
    /// For people.
    var reason: String
    /// Id of the request, to look it up in the server's log.
    var uuid: String?
    /// In seconds; those of answers are from 0 to ``longestWait``.
    var retryAfter: Double?
    /// The number of a ``CKError/Code``, which our own servers tell.
    var ckErrorCode: Int?
    /// A record dictionary: the record as it is now, which our own servers tell of a conflict.
    var serverRecord: ArraySlice<UInt8>?

    /// Seconds that an answer may ask to wait for: a day. More would be a slip, or end programs that count in nanoseconds.
    static let longestWait = 86_400.0

    /// Of one item of an answer that cannot be read.
    static func unreadable(_ reason: String, _ code: CKError.Code) -> ServerError {
        ServerError(code: "UNREADABLE", reason: reason, ckErrorCode: code.rawValue)
    }

    /// The members of an error dictionary, which may stand among those of an item.
    struct Members {
        private var code: String?
        private var found = ServerError(code: "", reason: "")

        var error: ServerError? {
            code.map {
                var error = found
                error.code = $0
                return error
            }
        }

        /// - Parameter reader: At a value that is not null.
        mutating func read(_ reader: inout JSONReader, _ key: JSONKey) throws(WireError) {
            switch key {
            case "serverErrorCode": code = try reader.readText()
            case "reason": found.reason = try reader.readText()
            case "uuid": found.uuid = try reader.readText()
            case "retryAfter": found.retryAfter = min(max(try reader.readDouble(), 0), ServerError.longestWait)
            case "ckErrorCode": found.ckErrorCode = Int(exactly: try reader.readInt64())
            case "serverRecord": found.serverRecord = try reader.skipValue()
            default: break
            }
        }
    }

    /// The code that programs see. One that nobody knows is `internalError`, and its message has the server's word.
    var ckCode: CKError.Code {
        if let code = ckErrorCode.flatMap(CKError.Code.init(rawValue:)) { return code }
        return Self.codes[code] ?? .internalError
    }

    private static let codes: [String: CKError.Code] = [
        "ACCESS_DENIED": .permissionFailure, "ATOMIC_ERROR": .batchRequestFailed,
        "AUTHENTICATION_FAILED": .notAuthenticated, "AUTHENTICATION_REQUIRED": .notAuthenticated,
        "BAD_REQUEST": .invalidArguments, "CONFLICT": .serverRecordChanged, "EXISTS": .serverRecordChanged,
        "INTERNAL_ERROR": .serverRejectedRequest, "NOT_FOUND": .unknownItem, "QUOTA_EXCEEDED": .quotaExceeded,
        "SIGN_IN_FAILED": .notAuthenticated, "THROTTLED": .requestRateLimited, "TRY_AGAIN_LATER": .serviceUnavailable,
        "UNIQUE_FIELD_ERROR": .constraintViolation, "VALIDATING_REFERENCE_ERROR": .referenceViolation,
        "ZONE_NOT_FOUND": .zoneNotFound,
    ]

    /// The error that programs see, of an item that is no record, or of a whole request.
    var ckError: CKError { CKError(ckCode, message, userInfo) }

    /// What programs show, in the words of this library; what the server said stands in `userInfo` as it came.
    private var message: String { reason.isEmpty ? code : CallNames.named(in: reason) }

    private var userInfo: [String: Any] {
        var info: [String: Any] = ["ServerErrorDescription": reason.isEmpty ? code : "\(code): \(reason)"]
        if let uuid { info["RequestUUID"] = uuid }
        if let retryAfter { info[CKErrorRetryAfterKey] = NSNumber(value: retryAfter) }
        return info
    }

    /// The error that programs see when `record` was not saved: a conflict brings the three records.
    func ckError(saving record: CKRecord, _ records: RecordReader) -> CKError {
        guard ckCode == .serverRecordChanged else { return ckError }
        var info = userInfo
        info[CKRecordChangedErrorClientRecordKey] = record
        info[CKRecordChangedErrorAncestorRecordKey] = CKRecord(
            recordType: record.recordType, recordID: record.recordID, contents: record.contents.value.ancestor)
        if let serverRecord, var reader = try? JSONReader(serverRecord),
            case .record(let server)? = try? records.item(&reader)
        {
            info[CKRecordChangedErrorServerRecordKey] = server
        }
        return CKError(ckCode, message, info)
    }
}
