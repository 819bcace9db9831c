// Creates participants to add to a share (``CKFetchShareParticipantsOperation``).
import Foundation

// MARK: One person

extension CKContainer {
    /// Creates a participant to add to a share, by an email address.
    @preconcurrency
    public func fetchShareParticipant(
        withEmailAddress email: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { participant(.init(emailAddress: email), completionHandler) }

    /// Creates a participant to add to a share, by a phone number. The block receives `invalidArguments`: people are not found by these.
    @preconcurrency
    public func fetchShareParticipant(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { participant(.init(phoneNumber: phoneNumber), completionHandler) }

    /// Creates a participant to add to a share, by their user record.
    @preconcurrency
    public func fetchShareParticipant(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { participant(.init(userRecordID: userRecordID), completionHandler) }

    /// Creates a participant to add to a share, by an email address.
    ///
    /// - Throws: ``CKError`` `operationCancelled` if the task was cancelled.
    @discardableResult
    public func shareParticipant(forEmailAddress email: String) async throws -> CKShare.Participant {
        try await participant(.init(emailAddress: email))
    }

    /// Creates a participant to add to a share, by a phone number.
    ///
    /// - Throws: ``CKError`` `invalidArguments`, always: people are not found by their telephone numbers.
    @discardableResult
    public func shareParticipant(forPhoneNumber phoneNumber: String) async throws -> CKShare.Participant {
        try await participant(.init(phoneNumber: phoneNumber))
    }

    /// Creates a participant to add to a share, by their user record.
    ///
    /// - Throws: ``CKError`` `operationCancelled` if the task was cancelled.
    @discardableResult
    public func shareParticipant(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKShare.Participant {
        try await participant(.init(userRecordID: userRecordID))
    }

    private func participant(
        _ info: CKUserIdentity.LookupInfo,
        _ completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) {
        run(
            CKFetchShareParticipantsOperation(userIdentityLookupInfos: [info]), { try $0.results.one(info) },
            pair(completionHandler))
    }

    private func participant(_ info: CKUserIdentity.LookupInfo) async throws -> CKShare.Participant {
        try await run(CKFetchShareParticipantsOperation(userIdentityLookupInfos: [info])) { try $0.results.one(info) }
    }
}

// MARK: Several people

extension CKContainer {
    /// Creates participants to add to a share, by email addresses. Each has its own result.
    @preconcurrency
    public func fetchShareParticipants(
        forEmailAddresses emails: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) {
        let infos = CKUserIdentityLookupInfo.lookupInfos(withEmails: emails)
        run(
            CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos),
            { $0.results.keyed(by: zip(emails, infos)) }, completionHandler)
    }

    /// Creates participants to add to a share, by email addresses. Each has its own result.
    ///
    /// - Throws: ``CKError`` if the whole operation fails.
    @discardableResult
    public func shareParticipants(
        forEmailAddresses emails: [String]
    ) async throws -> [String: Result<CKShare.Participant, any Error>] {
        let infos = CKUserIdentityLookupInfo.lookupInfos(withEmails: emails)
        return try await run(CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)) {
            $0.results.keyed(by: zip(emails, infos))
        }
    }

    /// Creates participants to add to a share, by phone numbers, which all fail with `invalidArguments`. Each has its own result.
    @preconcurrency
    public func fetchShareParticipants(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) {
        let infos = CKUserIdentityLookupInfo.lookupInfos(withPhoneNumbers: phoneNumbers)
        run(
            CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos),
            { $0.results.keyed(by: zip(phoneNumbers, infos)) }, completionHandler)
    }

    /// Creates participants to add to a share, by phone numbers, which all fail with `invalidArguments`. Each has its own result.
    ///
    /// - Throws: ``CKError`` if the whole operation fails.
    @discardableResult
    public func shareParticipants(
        forPhoneNumbers phoneNumbers: [String]
    ) async throws -> [String: Result<CKShare.Participant, any Error>] {
        let infos = CKUserIdentityLookupInfo.lookupInfos(withPhoneNumbers: phoneNumbers)
        return try await run(CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)) {
            $0.results.keyed(by: zip(phoneNumbers, infos))
        }
    }

    /// Creates participants to add to a share, by their user records. Each has its own result.
    @preconcurrency
    public func fetchShareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler:
            @escaping @Sendable (Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) {
        let infos = CKUserIdentityLookupInfo.lookupInfos(with: userRecordIDs)
        run(
            CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos),
            { $0.results.keyed(by: zip(userRecordIDs, infos)) }, completionHandler)
    }

    /// Creates participants to add to a share, by their user records. Each has its own result.
    ///
    /// - Throws: ``CKError`` if the whole operation fails.
    @discardableResult
    public func shareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: Result<CKShare.Participant, any Error>] {
        let infos = CKUserIdentityLookupInfo.lookupInfos(with: userRecordIDs)
        return try await run(CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)) {
            $0.results.keyed(by: zip(userRecordIDs, infos))
        }
    }

    /// Creates participants to add to a share, by email addresses or user records. Each has its own result.
    ///
    /// - Throws: ``CKError`` if the whole operation fails.
    @discardableResult
    public func shareParticipants(
        for lookupInfos: [CKUserIdentity.LookupInfo]
    ) async throws -> [CKUserIdentity.LookupInfo: Result<CKShare.Participant, any Error>] {
        try await run(CKFetchShareParticipantsOperation(userIdentityLookupInfos: lookupInfos)) { $0.results }
    }
}

extension [CKUserIdentity.LookupInfo: Result<CKShare.Participant, any Error>] {
    /// The results by what the program has named people by.
    fileprivate func keyed<Named: Hashable>(
        by keys: some Sequence<(Named, CKUserIdentity.LookupInfo)>
    ) -> [Named: Result<CKShare.Participant, any Error>] {
        var results: [Named: Result<CKShare.Participant, any Error>] = [:]
        for (key, info) in keys { results[key] = self[info] }
        return results
    }
}
