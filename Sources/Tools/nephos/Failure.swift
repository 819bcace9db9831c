import ArgumentParser
import NephosAdmin
import NephosStorage

/// Why a command ends without success: what happened, and what to do next.
struct Failure: Error {
    enum Exit: Int32 { case success = 0, failed = 1, wrongUsage = 2 }

    var text: String
    var exit: Exit = .failed

    init(_ text: String, exit: Exit = .failed) {
        self.text = text
        self.exit = exit
    }

    /// - Parameter data: The data folder, for the commands that the text proposes.
    init(_ error: AdminError, data: DataOptions) {
        let next: String? =
            switch error {
            case .invalid, .keyExists, .storage: nil
            case .noContainer(let id): "Make it with: nephos container create \(id)\(data.asWritten)"
            case .containerExists: "See all with: nephos container list\(data.asWritten)"
            case .noAccount(let email): "Make it with: nephos account create \(email)\(data.asWritten)"
            case .accountExists(let email):
                "Sign it in with: nephos session create CONTAINER \(email)\(data.asWritten)"
            }
        text = [error.description, next].compactMap(\.self).joined(separator: " ")
        if case .invalid = error { exit = .wrongUsage }
    }
}
