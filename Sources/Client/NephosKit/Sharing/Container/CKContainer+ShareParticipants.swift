// Fetches participants to add to a share. Sharing is not supported yet: all of these calls fail with an error that says
// so.
import Foundation

// MARK: One person

extension CKContainer {
    /// Fetches a participant to add to a share by an email address. Sharing is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipant(
        withEmailAddress email: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Fetches a participant to add to a share by a phone number. Sharing is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipant(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Fetches a participant to add to a share by their user record. Sharing is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipant(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Fetches a participant to add to a share by an email address. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareParticipant(forEmailAddress email: String) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }

    /// Fetches a participant to add to a share by a phone number. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareParticipant(forPhoneNumber phoneNumber: String) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }

    /// Fetches a participant to add to a share by their user record. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareParticipant(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }
}

// MARK: Several people

extension CKContainer {
    /// Fetches participants to add to a share by email addresses. Sharing is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipants(
        forEmailAddresses emails: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Fetches participants to add to a share by phone numbers. Sharing is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipants(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Fetches participants to add to a share by their user records. Sharing is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler:
            @escaping @Sendable (Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Fetches participants to add to a share by email addresses. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareParticipants(forEmailAddresses emails: [String]) async throws -> [String: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    /// Fetches participants to add to a share by phone numbers. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareParticipants(forPhoneNumbers phoneNumbers: [String]) async throws -> [String: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    /// Fetches participants to add to a share by their user records. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareParticipants(forUserRecordIDs userRecordIDs: [CKRecord.ID]) async throws -> [CKRecord.ID: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    /// Fetches participants to add to a share by email addresses, phone numbers or user records. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not supported yet.
    @discardableResult
    public func shareParticipants(for lookupInfos: [CKUserIdentity.LookupInfo]) async throws -> [CKUserIdentity
        .LookupInfo: Result<CKShare.Participant, any Error>]
    {
        throw NotYet.participants.error
    }
}
