public import Foundation

extension CKContainer {
    /// Signs a person in to a program that has no web page: the program shows a code, which the person types on a page of the server, on any
    /// device that has a browser. Returns after the person has accepted there. By then they are signed in, `CKAccountChanged` was posted, and
    /// what was stored of the previous person was removed.
    ///
    /// ```swift
    /// try await container.signIn { code, page in print("Open \(page), and type \(code).") }
    /// ```
    ///
    /// Cancelling the task cancels the sign-in. The previous person stays signed in until the new one has accepted.
    ///
    /// - Parameters:
    ///   - remembering: Whether the session's token is written to the credentials file, for the next start of the program.
    ///   - show: Shows the person a code of eight letters, such as `BCDF-GHJK`, and the page on which to type it. A code is valid for ten minutes
    ///     and can be used once. The page does not read it from its address, so that nobody can fill it in for somebody else.
    /// - Throws: ``CKError``: `permissionFailure` if the person declined; `notAuthenticated` if they did not respond in time, or if somebody
    ///   signed in or out in another way meanwhile; otherwise the reason why a request failed. Also what `show` throws. After an error nothing
    ///   has changed.
    public func signIn(
        remembering: Bool = true, showing show: @Sendable (_ code: String, _ page: URL) async throws -> Void
    ) async throws {
        let terms = service.bound(Service.Terms())
        let code = try await service.signInCode(terms)
        try await show(code.userCode, code.page)
        let token = try await service.webAuthToken(for: code, terms)
        try service.checkStill(terms)
        try signIn(webAuthToken: token, remembering: remembering)
    }
}
