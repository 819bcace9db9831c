import CloudKit
import Testing

/// How programs inspect errors (docs/client.md, "Errors").
@Suite struct ErrorPatternTests {
    private func fail(_ error: CKError) throws { throw error }

    @Test func everyPatternFindsIt() {
        do {
            try fail(CKError(.serverRecordChanged))
        } catch CKError.serverRecordChanged {
        } catch {
            Issue.record("\(error)")
        }
        let error: any Error = CKError(.zoneNotFound, userInfo: [CKErrorRetryAfterKey: 3.0])
        #expect((error as? CKError)?.code == .zoneNotFound)
        if case CKError.zoneNotFound = error {} else { Issue.record("no match") }
        #expect((error as NSError).code == CKError.zoneNotFound.rawValue && (error as NSError).domain == CKErrorDomain)
        #expect((error as? CKError)?.retryAfterSeconds == 3)
        #expect((error as NSError).userInfo[CKErrorRetryAfterKey] as? Double == 3)
        switch (error as? CKError)?.code {
        case .networkFailure, .networkUnavailable: Issue.record("another code")
        default: break
        }
    }

    @Test func errorsOfItemsAreFoundByTheirIDs() {
        let id = CKRecord.ID(recordName: "a")
        let error = CKError(
            .partialFailure,
            userInfo: [CKPartialErrorsByItemIDKey: [id: CKError(.unknownItem)] as [AnyHashable: any Error]])
        #expect((error.partialErrorsByItemID?[id] as? CKError)?.code == .unknownItem)
        #expect(error.userInfo[CKPartialErrorsByItemIDKey] is NSDictionary)
    }

    @Test func codesHaveTheirNumbers() {
        #expect(
            CKError.Code(rawValue: 9) == .notAuthenticated && CKError.Code(rawValue: 37) == .participantAlreadyInvited)
        #expect(CKError.internalError.rawValue == 1 && CKError.changeTokenExpired.rawValue == 21)
        #expect(CKError.limitExceeded.rawValue == 27 && CKError.referenceViolation.rawValue == 31)
        #expect(CKError.Code(rawValue: 38) == nil && CKError.Code(rawValue: 0) == nil)
    }
}
