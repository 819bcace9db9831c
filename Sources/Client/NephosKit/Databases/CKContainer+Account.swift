import Foundation

/// Whether somebody is signed in.
public enum CKAccountStatus: Int, Sendable {
    /// The server could not be asked; the error that comes with it says why.
    case couldNotDetermine = 0
    /// Somebody is signed in, and the server takes the session.
    case available
    /// The system keeps the person from using an account. Never returned here.
    case restricted
    /// Nobody is signed in, or the session has ended.
    case noAccount
    /// The account needs the person's attention first. Never returned here.
    case temporarilyUnavailable
}

extension CKContainer {
    /// Asks the server whether the session is good. Without one, nobody needs to be asked.
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

    /// Asks the server whether the session is good. Without one, nobody needs to be asked.
    ///
    /// - Throws: ``CKError``, when the server cannot be asked. A missing or ended session is `.noAccount` and does not
    ///   throw.
    @discardableResult
    public func accountStatus() async throws -> CKAccountStatus { try await status() }

    private func status() async throws(CKError) -> CKAccountStatus {
        guard service.isSignedIn else { return .noAccount }
        do throws(CKError) {
            // Not what was remembered: a session may have ended since.
            try await service.confirmUser(Service.Terms())
            return .available
        } catch {
            if error.code == .notAuthenticated { return .noAccount }
            throw error
        }
    }

    /// The user record of who is signed in: its name is the same for all devices of a person, and another in every container.
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

    /// The user record of who is signed in: its name is the same for all devices of a person, and another in every container.
    ///
    /// - Throws: ``CKError``: `notAuthenticated` when nobody is signed in; otherwise why the server cannot be asked.
    @discardableResult
    public func userRecordID() async throws -> CKRecord.ID { try await recordID() }

    private func recordID() async throws(CKError) -> CKRecord.ID {
        guard let user = try await service.user(Service.Terms()) else { throw .signedOut("user record") }
        return CKRecord.ID(recordName: user.userRecordName)
    }
}
