import Foundation

@main
struct Program {
    static let usage = """
        conjugar              the current message, in your language
        conjugar press ROLE   the same, and its button action, cancel or okay is pressed; escape takes it away

        NEPHOS_URL, NEPHOS_CONTAINER and NEPHOS_API_TOKEN say where the server is, NEPHOS_WEB_AUTH_TOKEN who is signed in,
        CONJUGAR_LOCALE whose language is served, CONJUGAR_VERSION which version of the app asks, CONJUGAR_STATE what is so, such as
        subscribed, CONJUGAR_FOLDER where the installation keeps what it has shown, CONJUGAR_LACKS what this build cannot do, such as
        purchase.
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        let screen = { Screen(try Settings(ProcessInfo.processInfo.environment)) }
        switch (arguments.first, arguments.count) {
        case (nil, 0): try await screen().show(pressing: nil)
        case ("press", 2): try await screen().show(pressing: arguments[1])
        default: throw Complaint(usage)
        }
    }
}

/// An error that ends the program, as a text for people.
struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Prints a line to standard output, without buffering.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
