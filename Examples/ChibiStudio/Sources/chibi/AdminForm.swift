#if Internal
    import Foundation
    import PublishedContent

    /// The form that a long press on a drawing would show, as words: begin, end, first version of the app, languages.
    struct AdminForm {
        let content: PublishedContent

        init(_ content: PublishedContent) { self.content = content }

        /// - Parameter words: `publish` or `withdraw`, a drawing, and the values of the form.
        func carryOut(_ words: [String]) async throws {
            do {
                if words[0] == "withdraw" {
                    try await content.withdraw(words[1])
                    return say("\(words[1]) is a draft.")
                }
                let form = try form(words.dropFirst(2))
                if let problem = form.problems.first { throw Complaint(problem.message) }
                try await content.publish(words[1], form)
                say("\(words[1]) is published" + (form.start == nil ? "." : " from the given time on."))
            } catch let fault as ContentFault {
                // The app does not check permissions: the server does.
                throw fault.kind == .notAllowed ? Complaint("Refused: \(fault.message)") : Complaint("\(fault)")
            }
        }

        private func form(_ words: ArraySlice<String>) throws -> PublishForm {
            var form = PublishForm()
            var seconds = 0.0
            for word in words {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                switch (parts.first, parts.last.flatMap(Double.init)) {
                case ("in", let number?):
                    seconds = number
                    form.start = Date.now + number
                case ("for", let number?): form.end = Date.now + seconds + number
                case ("version", _): form.minimumVersion = parts.last ?? ""
                case ("languages", _): form.languages = (parts.last ?? "").split(separator: ",").map(String.init)
                default: throw Complaint(Program.usage)
                }
            }
            return form
        }
    }
#endif
