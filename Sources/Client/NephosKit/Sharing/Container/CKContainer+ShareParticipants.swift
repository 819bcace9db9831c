// Finds people to add to a share. Sharing is not there yet: all of these fail, and say so.
import Foundation

// MARK: One person

extension CKContainer {
    /// Would find somebody to add to a share by an email address. Sharing is not there yet: the block gets
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipant(
        withEmailAddress email: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Would find somebody to add to a share by a phone number. Sharing is not there yet: the block gets
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipant(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Would find somebody to add to a share by their user record. Sharing is not there yet: the block gets
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipant(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Would find somebody to add to a share by an email address.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareParticipant(forEmailAddress email: String) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }

    /// Would find somebody to add to a share by a phone number.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareParticipant(forPhoneNumber phoneNumber: String) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }

    /// Would find somebody to add to a share by their user record.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareParticipant(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }
}

// MARK: Many

extension CKContainer {
    /// Would find people to add to a share by email addresses. Sharing is not there yet: the block gets
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipants(
        forEmailAddresses emails: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Would find people to add to a share by phone numbers. Sharing is not there yet: the block gets
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipants(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Would find people to add to a share by their user records. Sharing is not there yet: the block gets
    /// `serverRejectedRequest`.
    @preconcurrency
    public func fetchShareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler:
            @escaping @Sendable (Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    /// Would find people to add to a share by email addresses.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareParticipants(forEmailAddresses emails: [String]) async throws -> [String: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    /// Would find people to add to a share by phone numbers.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareParticipants(forPhoneNumbers phoneNumbers: [String]) async throws -> [String: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    /// Would find people to add to a share by their user records.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareParticipants(forUserRecordIDs userRecordIDs: [CKRecord.ID]) async throws -> [CKRecord.ID: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    /// Would find people to add to a share by addresses, numbers or user records.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: sharing is not there yet.
    @discardableResult
    public func shareParticipants(for lookupInfos: [CKUserIdentity.LookupInfo]) async throws -> [CKUserIdentity
        .LookupInfo: Result<CKShare.Participant, any Error>]
    {
        throw NotYet.participants.error
    }
}
