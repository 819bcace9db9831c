/// What the pages by which people sign in say.
struct SignInTexts: Sendable {
    /// As HTML names it.
    let language: String
    let title, email, password, keep, signIn, cancel, allow: String
    /// What an app asks, with the app in the first place of `%`, and where it is in the second.
    let asks: String
    let sees: String
    let asksConsent: String
    /// With the address in the place of `%`.
    let signedInAs: String
    let goOn, other, signUp, forgot: String
    let wrong: String
    /// With seconds in the place of `%`.
    let wait: String
    let busy: String
    let done, doneText: String
    let refused, refusedText: String
    let failed, failedText: String
    let over, overText: String
    let unknown, unknownText: String
    /// With the origin in the place of `%`.
    let notAllowed, notAllowedText: String
    let noOrigin, noOriginText: String
    let notSafe, notSafeText: String
    let foreignForm, foreignFormText: String

}
