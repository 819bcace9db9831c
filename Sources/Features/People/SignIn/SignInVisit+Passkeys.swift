import NephosRunner
import NephosStorage

/// Signing in with a passkey: the browser's response identifies the account, so nothing is typed.
extension SignInVisit {
    /// May block.
    func passkeyUsed(_ form: SignInAnswers) throws -> Work {
        guard let passkeys = visit.passkeys else { return visit.answer(pages.foreignForm) }
        // No account was named, so the attempt counts for the network only.
        let counted: SignInWaits.Counted
        switch try services.waits.begin(SignInWaits.Attempt(from: visit.request.network), now: visit.now) {
        case .counted(let attempt): counted = attempt
        case .wait(let seconds): return try passwordForm(problem: .wait(seconds))
        }
        let used = Passkeys.AssertionResponse(
            id: form.bytes(of: "credential"), user: form.bytes(of: "user"), client: form.bytes(of: "client"),
            authenticator: form.bytes(of: "authenticator"), signature: form.bytes(of: "signature"))
        let account: String
        do { account = try passkeys.signIn(used, on: visit.passkeyPage()) } catch let problem as PasskeyProblem {
            return try passwordForm(problem: .passkey(problem))
        }
        try services.waits.takeBack(counted)
        let isKept = form.value(of: "keep") == "yes"
        let method = SignInMethodRow(
            account: account, kind: .passkey, id: used.id, verifier: "", createdAt: visit.now)
        return try proved(method, isKept: isKept) ?? passwordForm(problem: .passkey(.unknown))
    }
}
