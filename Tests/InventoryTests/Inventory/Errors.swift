import CloudKit

/// Errors, and their codes.
extension Inventory {
    mutating func errors() {
        topic("Errors")
        type("CKError", CKError.self as any (CustomNSError & Hashable & Sendable).Type)
        function("CKError.init(_nsError:)", CKError.init(_nsError:) as (NSError) -> CKError)
        function("CKError.init(_:userInfo:)", CKError.init(_:userInfo:) as (CKError.Code, [String: Any]) -> CKError)
        constant("CKError.errorDomain", CKError.errorDomain, "CKErrorDomain")
        get("CKError.code", \CKError.code, CKError.Code.self)
        get("CKError.errorCode", \CKError.errorCode, Int.self)
        get("CKError.userInfo", \CKError.userInfo, [String: Any].self)
        get("CKError.errorUserInfo", \CKError.errorUserInfo, [String: Any].self)
        get("CKError.localizedDescription", \CKError.localizedDescription, String.self)
        get("CKError.partialErrorsByItemID", \CKError.partialErrorsByItemID, [AnyHashable: any Error]?.self)
        get("CKError.ancestorRecord", \CKError.ancestorRecord, CKRecord?.self)
        get("CKError.serverRecord", \CKError.serverRecord, CKRecord?.self)
        get("CKError.clientRecord", \CKError.clientRecord, CKRecord?.self)
        get("CKError.retryAfterSeconds", \CKError.retryAfterSeconds, Double?.self)
        type("CKError.Code", CKError.Code.self as any (Hashable & Sendable).Type)
        function("CKError.Code.init(rawValue:)", CKError.Code.init(rawValue:) as (Int) -> CKError.Code?)
    }

    mutating func errorCodes() {
        topic("Errors: codes")
        raw("CKError.Code.internalError", CKError.Code.internalError, 1)
        raw("CKError.Code.partialFailure", CKError.Code.partialFailure, 2)
        raw("CKError.Code.networkUnavailable", CKError.Code.networkUnavailable, 3)
        raw("CKError.Code.networkFailure", CKError.Code.networkFailure, 4)
        raw("CKError.Code.badContainer", CKError.Code.badContainer, 5)
        raw("CKError.Code.serviceUnavailable", CKError.Code.serviceUnavailable, 6)
        raw("CKError.Code.requestRateLimited", CKError.Code.requestRateLimited, 7)
        raw("CKError.Code.missingEntitlement", CKError.Code.missingEntitlement, 8)
        raw("CKError.Code.notAuthenticated", CKError.Code.notAuthenticated, 9)
        raw("CKError.Code.permissionFailure", CKError.Code.permissionFailure, 10)
        raw("CKError.Code.unknownItem", CKError.Code.unknownItem, 11)
        raw("CKError.Code.invalidArguments", CKError.Code.invalidArguments, 12)
        raw("CKError.Code.resultsTruncated", CKError.Code.resultsTruncated, 13)
        raw("CKError.Code.serverRecordChanged", CKError.Code.serverRecordChanged, 14)
        raw("CKError.Code.serverRejectedRequest", CKError.Code.serverRejectedRequest, 15)
        raw("CKError.Code.assetFileNotFound", CKError.Code.assetFileNotFound, 16)
        raw("CKError.Code.assetFileModified", CKError.Code.assetFileModified, 17)
        raw("CKError.Code.incompatibleVersion", CKError.Code.incompatibleVersion, 18)
        raw("CKError.Code.constraintViolation", CKError.Code.constraintViolation, 19)
        raw("CKError.Code.operationCancelled", CKError.Code.operationCancelled, 20)
        raw("CKError.Code.changeTokenExpired", CKError.Code.changeTokenExpired, 21)
        raw("CKError.Code.batchRequestFailed", CKError.Code.batchRequestFailed, 22)
        raw("CKError.Code.zoneBusy", CKError.Code.zoneBusy, 23)
        raw("CKError.Code.badDatabase", CKError.Code.badDatabase, 24)
        raw("CKError.Code.quotaExceeded", CKError.Code.quotaExceeded, 25)
        raw("CKError.Code.zoneNotFound", CKError.Code.zoneNotFound, 26)
        raw("CKError.Code.limitExceeded", CKError.Code.limitExceeded, 27)
        raw("CKError.Code.userDeletedZone", CKError.Code.userDeletedZone, 28)
        raw("CKError.Code.tooManyParticipants", CKError.Code.tooManyParticipants, 29)
        raw("CKError.Code.alreadyShared", CKError.Code.alreadyShared, 30)
        raw("CKError.Code.referenceViolation", CKError.Code.referenceViolation, 31)
        raw("CKError.Code.managedAccountRestricted", CKError.Code.managedAccountRestricted, 32)
        raw("CKError.Code.participantMayNeedVerification", CKError.Code.participantMayNeedVerification, 33)
        raw("CKError.Code.serverResponseLost", CKError.Code.serverResponseLost, 34)
        raw("CKError.Code.assetNotAvailable", CKError.Code.assetNotAvailable, 35)
        raw("CKError.Code.accountTemporarilyUnavailable", CKError.Code.accountTemporarilyUnavailable, 36)
        raw("CKError.Code.participantAlreadyInvited", CKError.Code.participantAlreadyInvited, 37)
    }

    /// Codes as members of the error, for use in patterns.
    mutating func errorPatterns() {
        topic("Errors: codes")
        raw("CKError.internalError", CKError.internalError, 1)
        raw("CKError.partialFailure", CKError.partialFailure, 2)
        raw("CKError.networkUnavailable", CKError.networkUnavailable, 3)
        raw("CKError.networkFailure", CKError.networkFailure, 4)
        raw("CKError.badContainer", CKError.badContainer, 5)
        raw("CKError.serviceUnavailable", CKError.serviceUnavailable, 6)
        raw("CKError.requestRateLimited", CKError.requestRateLimited, 7)
        raw("CKError.missingEntitlement", CKError.missingEntitlement, 8)
        raw("CKError.notAuthenticated", CKError.notAuthenticated, 9)
        raw("CKError.permissionFailure", CKError.permissionFailure, 10)
        raw("CKError.unknownItem", CKError.unknownItem, 11)
        raw("CKError.invalidArguments", CKError.invalidArguments, 12)
        raw("CKError.resultsTruncated", CKError.resultsTruncated, 13)
        raw("CKError.serverRecordChanged", CKError.serverRecordChanged, 14)
        raw("CKError.serverRejectedRequest", CKError.serverRejectedRequest, 15)
        raw("CKError.assetFileNotFound", CKError.assetFileNotFound, 16)
        raw("CKError.assetFileModified", CKError.assetFileModified, 17)
        raw("CKError.incompatibleVersion", CKError.incompatibleVersion, 18)
        raw("CKError.constraintViolation", CKError.constraintViolation, 19)
        raw("CKError.operationCancelled", CKError.operationCancelled, 20)
        raw("CKError.changeTokenExpired", CKError.changeTokenExpired, 21)
        raw("CKError.batchRequestFailed", CKError.batchRequestFailed, 22)
        raw("CKError.zoneBusy", CKError.zoneBusy, 23)
        raw("CKError.badDatabase", CKError.badDatabase, 24)
        raw("CKError.quotaExceeded", CKError.quotaExceeded, 25)
        raw("CKError.zoneNotFound", CKError.zoneNotFound, 26)
        raw("CKError.limitExceeded", CKError.limitExceeded, 27)
        raw("CKError.userDeletedZone", CKError.userDeletedZone, 28)
        raw("CKError.tooManyParticipants", CKError.tooManyParticipants, 29)
        raw("CKError.alreadyShared", CKError.alreadyShared, 30)
        raw("CKError.referenceViolation", CKError.referenceViolation, 31)
        raw("CKError.managedAccountRestricted", CKError.managedAccountRestricted, 32)
        raw("CKError.participantMayNeedVerification", CKError.participantMayNeedVerification, 33)
        raw("CKError.serverResponseLost", CKError.serverResponseLost, 34)
        raw("CKError.assetNotAvailable", CKError.assetNotAvailable, 35)
        raw("CKError.accountTemporarilyUnavailable", CKError.accountTemporarilyUnavailable, 36)
        raw("CKError.participantAlreadyInvited", CKError.participantAlreadyInvited, 37)
    }
}

/// Typical code of programs: compiled, not run.
private func written(_ error: any Error, _ body: () throws -> Void) -> String {
    do {
        try body()
    } catch CKError.serverRecordChanged {
        return "pattern"
    } catch let error as CKError where error.code == .partialFailure {
        return "cast"
    } catch {
        return "\((error as? CKError)?.retryAfterSeconds ?? 0)"
    }
    if case CKError.zoneNotFound = error { return "case" }
    switch (error as? CKError)?.code {
    case .networkFailure, .networkUnavailable: return "switch"
    default: break
    }
    let isUnknown = (error as NSError).code == CKError.unknownItem.rawValue
    let items = (error as NSError).userInfo[CKPartialErrorsByItemIDKey] as? NSDictionary
    return "\(isUnknown) \(items?.count ?? 0) \(CKError(.networkFailure))"
}
