import Foundation

/// Whether somebody is signed in.
public enum CKAccountStatus: Int, Sendable {
    /// The server could not be reached or did not respond as expected; the accompanying error describes the reason.
    case couldNotDetermine = 0
    /// Somebody is signed in, and the server accepts the session.
    case available
    /// The system does not permit the person to use an account. This library never returns it.
    case restricted
    /// Nobody is signed in, or the session has ended.
    case noAccount
    /// The account needs the person's attention first. This library never returns it.
    case temporarilyUnavailable
}

extension CKContainer {
    /// Fetches from the server whether the session is valid. If nobody is signed in, no request is sent.
    @preconcurrency
    public func accountStatus(completionHandler: @escaping @Sendable (CKAccountStatus, (any Error)?) -> Void) {
        Task {
            do throws(CKError) {
                completionHandler(try await status(), nil)
            } catch {
                completionHandler(.couldNotDetermine, error)
            }
        }
    }

    /// Fetches from the server whether the session is valid. If nobody is signed in, no request is sent.
    ///
    /// - Throws: ``CKError`` if the request fails. For a missing or ended session the function returns `.noAccount`
    ///   and does not throw.
    @discardableResult
    public func accountStatus() async throws -> CKAccountStatus { try await status() }

    private func status() async throws(CKError) -> CKAccountStatus {
        guard service.isSignedIn else { return .noAccount }
        do throws(CKError) {
            // Always sends a request: the session may have ended since the last response.
            try await service.confirmUser(Service.Terms())
            return .available
        } catch {
            if error.code == .notAuthenticated { return .noAccount }
            throw error
        }
    }

    /// Fetches the ID of the user record of the person who is signed in. Its name is the same on all of the person's devices,
    /// and different in every container.
    @preconcurrency
    public func fetchUserRecordID(completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void) {
        Task {
            do throws(CKError) {
                completionHandler(try await recordID(), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    /// Fetches the ID of the user record of the person who is signed in. Its name is the same on all of the person's devices,
    /// and different in every container.
    ///
    /// - Throws: ``CKError``: `notAuthenticated` if nobody is signed in; otherwise the reason why the request failed.
    @discardableResult
    public func userRecordID() async throws -> CKRecord.ID { try await recordID() }

    private func recordID() async throws(CKError) -> CKRecord.ID {
        guard let user = try await service.user(Service.Terms()) else { throw .signedOut("user record") }
        return CKRecord.ID(recordName: user.userRecordName)
    }
}
