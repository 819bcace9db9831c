import NephosRunner
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Sends mails with a program of the operator, such as `sendmail`: it is run with the address as its only argument, and reads the mail with
/// its headers from standard input. Its only environment variable is `PATH`, because the server's environment contains secrets.
struct ProgramMail {
    /// The time after which it is terminated.
    private static let deadline: Duration = .seconds(30)
    /// The maximum bytes of its first line of error output in the log.
    private static let saidMax = 200

    private let program: String
    private let path: String

    /// - Parameters:
    ///   - program: The path of an executable file.
    ///   - path: Its search path for other programs.
    init(program: String, path: String) { (self.program, self.path) = (program, path) }

    func send(_ mail: MailMessage) async throws(MailFailure) {
        let message = ComposedMail(mail).local
        let end: String?
        do {
            end = try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask { try await run(message, for: mail.address.text) }
                group.addTask {
                    try await Task.sleep(for: Self.deadline)
                    return "it took longer than 30 seconds"
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch {
            throw MailFailure("the mail program cannot be run: \(error)")
        }
        // It may accept other mails: only this one is postponed.
        if let end { throw MailFailure("the mail program failed: \(end)", .passing) }
    }

    /// The error; nil for success. The amount of its output is not limited.
    private func run(_ message: [UInt8], for address: String) async throws -> String? {
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: [address],
            environment: .custom(["PATH": path]), input: .array(message), output: .discarded, error: .sequence
        ) { execution in
            var said: [UInt8] = []
            for try await buffer in execution.standardError where said.count < Self.saidMax {
                said += buffer.withUnsafeBytes { Array($0.prefix(Self.saidMax - said.count)) }
            }
            return said
        }
        guard !result.terminationStatus.isSuccess else { return nil }
        let line = result.closureResult.prefix { $0 != UInt8(ascii: "\n") }
        // The log must not contain anybody's address.
        let said = String(decoding: line, as: UTF8.self).replacing(address, with: "(the address)")
        return "\(result.terminationStatus)" + (said.isEmpty ? "" : ": \(said)")
    }
}
