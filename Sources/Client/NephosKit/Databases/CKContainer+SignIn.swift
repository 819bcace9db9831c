public import Foundation

extension CKContainer {
    /// Has somebody sign in to a program that has no page of the web: it shows them a code, and they type it by hand on a page of the server, on
    /// whatever device has a browser. Returns once they have said yes there; then the program goes on as them, `CKAccountChanged` was posted, and
    /// what was kept of whoever was signed in before is gone.
    ///
    /// ```swift
    /// try await container.signIn { code, page in print("Open \(page), and type \(code).") }
    /// ```
    ///
    /// A task that is cancelled cancels it. Who was signed in stays so until then.
    ///
    /// - Parameters:
    ///   - remembering: Whether the session is written to the file of credentials, for the next start.
    ///   - show: Shows a code of eight letters, such as `BCDF-GHJK`, and where to type it. It is good for ten minutes, and once. The page does not
    ///     take it from its address, so that nobody has it filled in for somebody else.
    /// - Throws: ``CKError``: `permissionFailure` when they said no; `notAuthenticated` when nobody has answered in time, or somebody has signed in
    ///   by another way meanwhile; what else keeps the server from being asked. And what `show` throws. Nothing has changed then.
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
