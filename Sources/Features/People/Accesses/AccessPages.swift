import CloudKitWire
import NephosRunner
import NephosStorage

/// The parts of pages about accesses by others, in one language.
struct AccessPages: Sendable {
    private let all: Texts
    private var texts: AccessTexts { all.accesses }

    init(_ texts: Texts) { all = texts }

    /// The part of the account page that shows whether an operator may act as the person, and who did.
    ///
    /// - Parameters:
    ///   - begin: The opening tag and hidden fields of a form.
    ///   - proof: Fields that prove it is the person, by the ID of the input.
    func help(_ shown: AccountPages.Contents, _ begin: String, proof: (String) -> String) -> String {
        let places = shown.places.filter { $0.tenant.environment == .production || !$0.accesses.isEmpty }
        guard !places.isEmpty else { return "" }
        let items = places.enumerated().map { number, place in
            let hidden = SitePages.hidden("app", "\(place.tenant)")
            let form =
                if let end = place.permittedUntil {
                    "<p>\(texts.isLetIn.filled(end.asDate).escaped)</p>\n\(begin)\(hidden)"
                        + "\(button("letOut", texts.takeBack, about: number))</form>"
                } else if place.tenant.environment == .production {
                    "\(begin)\(hidden)\(days(number))\(proof("current-help-\(number)"))"
                        + "\(button("letIn", texts.letIn, about: number))</form>"
                } else {
                    ""
                }
            let record =
                place.accesses.isEmpty
                ? "" : "<p>\(texts.record.escaped):</p>\n<ul>\n\(place.accesses.map(item).joined())</ul>\n"
            let name = place.name.isEmpty ? place.tenant.container : place.name
            return """
                <li><b id="help-\(number)">\(name.escaped)</b> (\("\(place.tenant)".escaped))
                \(form)
                \(record)</li>

                """
        }
        return """
            <section aria-labelledby="help">
            <h2 id="help">\(texts.help.escaped)</h2>
            <p>\(texts.helpText.escaped)</p>
            <ul>
            \(items.joined())</ul>
            </section>

            """
    }

    /// The page at the next sign-in that shows accesses the person has not been notified of.
    ///
    /// - Parameter now: Later accesses are shown the next time.
    func unannounced(
        _ accesses: [(home: AccountPlaces.Home, access: AccessRow)], form: String, at now: Milliseconds
    ) -> RawResponse {
        let items = accesses.map { home, access in
            "<li><b>\("\(home.store.tenant)".escaped)</b>: \(line(access))</li>\n"
        }
        return SitePages(language: all.language).page(
            texts.title,
            """
            <p>\(texts.text.escaped)</p>
            <ul>
            \(items.joined())</ul>
            \(accesses.contains { $0.access.kind == .password } ? "<p>\(texts.choosePassword.escaped)</p>\n" : "")<form method="post">
            \(SitePages.hidden("form", form))\(SitePages.hidden("until", "\(now)"))\
            <p class="buttons"><button name="answer" value="told">\(texts.proceed.escaped)</button></p>
            </form>
            """)
    }

    private func item(_ access: AccessRow) -> String { "<li>\(line(access))</li>\n" }

    private func line(_ access: AccessRow) -> String {
        let who = access.who.isEmpty ? "" : " \(texts.by.filled(access.who).escaped)"
        let until = access.until == 0 ? "" : " – \(access.until.asDate)"
        let reason = access.reason.isEmpty ? "" : ": \(access.reason.escaped)"
        return "\(access.at.asDate)\(until): \(texts.what(access.kind).escaped)\(who)\(reason)"
    }

    private func days(_ number: Int) -> String {
        """
        <label for="days-\(number)">\(texts.days.escaped)</label>
        <input id="days-\(number)" name="days" type="number" min="1" max="\(AccountPlaces.daysMax)" value="1" required>

        """
    }

    private func button(_ action: String, _ text: String, about number: Int) -> String {
        "<p class=\"buttons\"><button name=\"do\" value=\"\(action)\" aria-describedby=\"help-\(number)\">\(text.escaped)</button></p>\n"
    }
}
