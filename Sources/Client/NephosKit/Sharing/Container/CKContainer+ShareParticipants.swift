// Finds people to add to a share. Sharing is not there yet: all of these fail, and say so.
import Foundation

// MARK: One person

extension CKContainer {
    @preconcurrency
    public func fetchShareParticipant(
        withEmailAddress email: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    @preconcurrency
    public func fetchShareParticipant(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    @preconcurrency
    public func fetchShareParticipant(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKShare.Participant?, (any Error)?) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    @discardableResult
    public func shareParticipant(forEmailAddress email: String) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }

    @discardableResult
    public func shareParticipant(forPhoneNumber phoneNumber: String) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }

    @discardableResult
    public func shareParticipant(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKShare.Participant {
        throw NotYet.participants.error
    }
}

// MARK: Many

extension CKContainer {
    @preconcurrency
    public func fetchShareParticipants(
        forEmailAddresses emails: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    @preconcurrency
    public func fetchShareParticipants(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler:
            @escaping @Sendable (Result<[String: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    @preconcurrency
    public func fetchShareParticipants(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler:
            @escaping @Sendable (Result<[CKRecord.ID: Result<CKShare.Participant, any Error>], any Error>) -> Void
    ) { NotYet.participants.fail(completionHandler) }

    @discardableResult
    public func shareParticipants(forEmailAddresses emails: [String]) async throws -> [String: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    @discardableResult
    public func shareParticipants(forPhoneNumbers phoneNumbers: [String]) async throws -> [String: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    @discardableResult
    public func shareParticipants(forUserRecordIDs userRecordIDs: [CKRecord.ID]) async throws -> [CKRecord.ID: Result<
        CKShare.Participant, any Error
    >] {
        throw NotYet.participants.error
    }

    @discardableResult
    public func shareParticipants(for lookupInfos: [CKUserIdentity.LookupInfo]) async throws -> [CKUserIdentity
        .LookupInfo: Result<CKShare.Participant, any Error>]
    {
        throw NotYet.participants.error
    }
}
