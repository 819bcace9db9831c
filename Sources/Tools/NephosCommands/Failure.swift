import ArgumentParser
import NephosAdmin
import NephosStorage

/// Why a command ends without success: what happened, and what to do next.
struct Failure: Error {
    enum Exit: Int32 { case success = 0, failed = 1, wrongUsage = 2 }

    var text: String
    var exit: Exit = .failed
    /// The text is shown as it is, without the word "Error" in front.
    var isWhole = false

    init(_ text: String, exit: Exit = .failed, isWhole: Bool = false) {
        self.text = text
        self.exit = exit
        self.isWhole = isWhole
    }

    /// What is shown.
    var shown: String { isWhole ? text : "Error: \(text)" }

    /// - Parameter data: The data folder, for the commands that the text proposes.
    init(_ error: AdminError, data: DataOptions) {
        let next: String? =
            switch error {
            case .invalid, .keyExists, .schema, .noRole, .noKey, .notInTrash, .refused, .storage: nil
            case .noToken(_, let tenant): "See all with: \(data.command("token list", tenant))"
            case .noSession(_, let tenant): "See all with: \(data.command("session list", tenant))"
            case .noContainer(let id): "Make it with: nephos container create \(id)\(data.asWritten)"
            case .containerExists: "See all with: nephos container list\(data.asWritten)"
            case .noAccount(let email): "Make it with: nephos account create \(email)\(data.asWritten)"
            case .accountExists(let email):
                "Sign it in with: nephos session create CONTAINER \(email)\(data.asWritten)"
            case .notInProduction:
                "Import into development, then: nephos schema deploy CONTAINER\(data.asWritten)"
            case .noType(_, let tenant): "See all with: \(data.command("schema export", tenant))"
            case .recordExists(let name):
                "See it with: nephos records get CONTAINER --record-name \(name)\(data.asWritten)"
            }
        text = [error.description, next].compactMap(\.self).joined(separator: " ")
        if case .invalid = error { exit = .wrongUsage }
    }
}
