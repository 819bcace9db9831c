// Apple's service no longer supports these calls, and finds nobody. Here, looking up people is not supported yet: all
// of these calls fail with an error that says so.
import Foundation

// MARK: One person

extension CKContainer {
    /// Looks up the person's contacts. Looking up people is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverAllIdentities(
        completionHandler: @escaping @Sendable ([CKUserIdentity]?, (any Error)?) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Looks up the person's contacts. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: looking up people is not supported yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func allUserIdentitiesFromContacts() async throws -> [CKUserIdentity] {
        throw NotYet.discovery.error
    }

    /// Looks up a person by an email address. Looking up people is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentity(
        withEmailAddress email: String, completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Looks up a person by a phone number. Looking up people is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentity(
        withPhoneNumber phoneNumber: String,
        completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Looks up a person by their user record. Looking up people is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentity(
        withUserRecordID userRecordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKUserIdentity?, (any Error)?) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Looks up a person by an email address. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: looking up people is not supported yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentity(forEmailAddress email: String) async throws -> CKUserIdentity? {
        throw NotYet.discovery.error
    }

    /// Looks up a person by a phone number. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: looking up people is not supported yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentity(forPhoneNumber phoneNumber: String) async throws -> CKUserIdentity? {
        throw NotYet.discovery.error
    }

    /// Looks up a person by their user record. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: looking up people is not supported yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentity(forUserRecordID userRecordID: CKRecord.ID) async throws -> CKUserIdentity? {
        throw NotYet.discovery.error
    }
}

// MARK: Several people

extension CKContainer {
    /// Looks up people by email addresses. Looking up people is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentities(
        forEmailAddresses emails: [String],
        completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Looks up people by phone numbers. Looking up people is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentities(
        forPhoneNumbers phoneNumbers: [String],
        completionHandler: @escaping @Sendable (Result<[String: CKUserIdentity], any Error>) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Looks up people by their user records. Looking up people is not supported yet: the block receives
    /// `serverRejectedRequest`.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @preconcurrency
    public func discoverUserIdentities(
        forUserRecordIDs userRecordIDs: [CKRecord.ID],
        completionHandler: @escaping @Sendable (Result<[CKRecord.ID: CKUserIdentity], any Error>) -> Void
    ) { NotYet.discovery.fail(completionHandler) }

    /// Looks up people by email addresses. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: looking up people is not supported yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentities(forEmailAddresses emails: [String]) async throws -> [String: CKUserIdentity] {
        throw NotYet.discovery.error
    }

    /// Looks up people by phone numbers. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: looking up people is not supported yet.
    @available(
        *, deprecated, message: "Apple's service no longer discovers users. Fetch participants of shares instead."
    )
    @discardableResult
    public func userIdentities(forPhoneNumbers phoneNumbers: [String]) async throws -> [String: CKUserIdentity] {
        throw NotYet.discovery.error
    }

    /// Looks up people by their user records. Always fails.
    ///
    /// - Throws: ``CKError`` `serverRejectedRequest`, always: looking up people is not supported yet.
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
