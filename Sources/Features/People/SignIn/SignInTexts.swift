/// Texts of the sign-in pages.
struct SignInTexts: Sendable {
    /// The HTML language code.
    let language: String
    let title, email, password, keep, signIn, cancel, allow: String
    /// The app's request; the first `%` is the app, the second its place.
    let asks: String
    let sees: String
    let asksConsent: String
    /// `%` is the address.
    let signedInAs: String
    let proceed, other, signUp, forgot: String
    let wrong: String
    /// `%` is a number of seconds.
    let wait: String
    let busy: String
    let done, doneText: String
    let refused, refusedText: String
    let failed, failedText: String
    let expired, expiredText: String
    let unknown, unknownText: String
    /// `%` is the origin.
    let notAllowed, notAllowedText: String
    let noOrigin, noOriginText: String
    let notSafe, notSafeText: String
    let foreignForm, foreignFormText: String

}
