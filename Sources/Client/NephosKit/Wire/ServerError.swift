import CloudKitWire
import Foundation
import NephosTransport

/// An error that the server reports, for a whole request or for one item of it.
struct ServerError: Error, Sendable {
    var code: String
    /// A description for people.
    var reason: String
    /// The ID of the request in the server's log.
    var uuid: String?
    /// Seconds to wait before a retry; limited to 0 through ``longestWait`` when read from a response.
    var retryAfter: Double?
    /// The number of a ``CKError/Code``, which Nephos servers send.
    var ckErrorCode: Int?
    /// A record dictionary: the current record, which Nephos servers send with a conflict.
    var serverRecord: ArraySlice<UInt8>?
    /// A record dictionary: the shared record, which Nephos servers send with a conflict of its share.
    var rootRecord: ArraySlice<UInt8>?

    /// The most seconds to wait that are accepted from a response: a day. More is a mistake, or overflows in programs that count in
    /// nanoseconds.
    static let longestWait = 86_400.0

    /// The error of one item in a response that cannot be read.
    static func unreadable(_ reason: String, _ code: CKError.Code) -> ServerError {
        ServerError(code: "UNREADABLE", reason: reason, ckErrorCode: code.rawValue)
    }

    /// The members of an error dictionary, which may appear among those of an item.
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

        /// - Parameter reader: Positioned at a value that is not null.
        mutating func read(_ reader: inout JSONReader, _ key: JSONKey) throws(WireError) {
            switch key {
            case "serverErrorCode": code = try reader.readText()
            case "reason": found.reason = try reader.readText()
            case "uuid": found.uuid = try reader.readText()
            case "retryAfter": found.retryAfter = min(max(try reader.readDouble(), 0), ServerError.longestWait)
            case "ckErrorCode": found.ckErrorCode = Int(exactly: try reader.readInt64())
            case "serverRecord": found.serverRecord = try reader.skipValue()
            case "rootRecord": found.rootRecord = try reader.skipValue()
            default: break
            }
        }
    }

    /// The code of the ``CKError`` for programs. An unknown code becomes `internalError`; `ServerErrorDescription` in `userInfo` has
    /// the server's code.
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

    /// The error for programs, for a whole request or for an item other than a saved record.
    var ckError: CKError { CKError(ckCode, message, userInfo) }

    /// The message for programs, with the function names of this library; `userInfo` has the server's text unchanged.
    private var message: String { reason.isEmpty ? code : CallNames.named(in: reason) }

    private var userInfo: [String: Any] {
        var info: [String: Any] = ["ServerErrorDescription": reason.isEmpty ? code : "\(code): \(reason)"]
        if let uuid { info["RequestUUID"] = uuid }
        if let retryAfter { info[CKErrorRetryAfterKey] = NSNumber(value: retryAfter) }
        return info
    }

    /// The error for programs when `record` was not saved. For a conflict, `userInfo` contains the client's record, its ancestor and,
    /// if the server sent it, the server's record. Fields that the client's record encrypts stay encrypted in the server's: a program
    /// merges its values into that record and saves it, and the server must not decide that they are sent in plain text.
    ///
    /// For a record that is in a share already, it contains that share.
    func ckError(saving record: CKRecord, _ records: RecordReader) -> CKError {
        var info = userInfo
        if ckCode == .alreadyShared, let share = Self.record(in: serverRecord, records) as? CKShare {
            info[CKRecordChangedErrorServerRecordKey] = share
            return CKError(ckCode, message, info)
        }
        guard ckCode == .serverRecordChanged else { return ckError }
        let encrypted = record.contents.value.encrypted
        info[CKRecordChangedErrorClientRecordKey] = record
        info[CKRecordChangedErrorAncestorRecordKey] = CKRecord(
            recordType: record.recordType, recordID: record.recordID, contents: record.contents.value.ancestor)
        if let server = Self.record(in: serverRecord, records),
            // A program merges its changes into this record: it must be the same one.
            server.recordID.recordName.hasSameBytes(as: record.recordID.recordName),
            server.recordType.hasSameBytes(as: record.recordType),
            !server.contents.value.hasPlainField(among: encrypted)
        {
            server.contents.withLock { $0.keepEncrypted(encrypted) }
            info[CKRecordChangedErrorServerRecordKey] = server
            if server is CKShare, let root = Self.record(in: rootRecord, records) {
                info[CKError.sharedRecordKey] = root
            }
        }
        return CKError(ckCode, message, info)
    }

    /// nil for what cannot be read.
    private static func record(in bytes: ArraySlice<UInt8>?, _ records: RecordReader) -> CKRecord? {
        guard let bytes, var reader = try? JSONReader(bytes), case .record(let record)? = try? records.item(&reader)
        else { return nil }
        return record
    }
}
