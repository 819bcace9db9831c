// Apple's service has given these up, and finds nobody any more. Here nobody can be found yet: all fail, and say so.
import Foundation

// MARK: One person

extension CKContainer {
    /// Would find the person's contacts. Nobody can be found: the block gets `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverAllIdentities(
        completionHandler: @escaping @Sendable ([CKUserIdentity]?, (any Error)?) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Would find the person's contacts.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: nobody can be found yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func allUserIdentitiesFromContacts() async throws -> [CKUserIdentity] {
        throw NotYet.discovery.error
    }

    /// Would find a person by an email address. Nobody can be found: the block gets `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentity(
        withEmailAddress email: String, completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Would find a person by a phone number. Nobody can be found: the block gets `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentity(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Would find a person by their user record. Nobody can be found: the block gets `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentity(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Would find a person by an email address.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: nobody can be found yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentity(forEmailAddress email: String) async throws -> CKUserIdentity? {
        throw NotYet.discovery.error
    }

    /// Would find a person by a phone number.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: nobody can be found yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentity(forPhoneNumber phoneNumber: String) async throws -> CKUserIdentity? {
        throw NotYet.discovery.error
    }

    /// Would find a person by their user record.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: nobody can be found yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentity(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKUserIdentity? {
        throw NotYet.discovery.error
    }
}

// MARK: Many

extension CKContainer {
    /// Would find people by email addresses. Nobody can be found: the block gets `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentities(
        forEmailAddresses emails: [String],
        completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Would find people by phone numbers. Nobody can be found: the block gets `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentities(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Would find people by their user records. Nobody can be found: the block gets `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentities(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler: @escaping @Sendable (Result<[CKRecord.ID: CKUserIdentity], any Error>) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Would find people by email addresses.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: nobody can be found yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentities(forEmailAddresses emails: [String]) async throws -> [String: CKUserIdentity] {
        throw NotYet.discovery.error
    }

    /// Would find people by phone numbers.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: nobody can be found yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentities(forPhoneNumbers phoneNumbers: [String]) async throws -> [String: CKUserIdentity] {
        throw NotYet.discovery.error
    }

    /// Would find people by their user records.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: nobody can be found yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentities(forUserRecordIDs userRecordIDs: [CKRecord.ID]) async throws -> [CKRecord.ID:
        CKUserIdentity]
    {
        throw NotYet.discovery.error
    }
}
