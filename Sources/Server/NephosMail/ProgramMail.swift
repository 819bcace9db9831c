import NephosRunner
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Mails that a program of the operator's sends, as `sendmail` does: it is run with the address as its only argument, and reads the mail with
/// its headers from standard input. It gets no environment but `PATH`, for that of a server holds secrets.
struct ProgramMail {
    /// How long it may take before it is ended.
    private static let deadline: Duration = .seconds(30)
    /// Bytes of its first line of complaint that the log has.
    private static let saidMax = 200

    private let program: String
    private let path: String

    /// - Parameters:
    ///   - program: The path of an executable file.
    ///   - path: Where the program finds others.
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
            throw MailFailure("the program for mails cannot be run: \(error)")
        }
        // It takes others, perhaps: this one alone is put off.
        if let end { throw MailFailure("the program for mails failed: \(end)", .passing) }
    }

    /// What went wrong; nil where it ended well. How much it says matters to nobody.
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
        // The log knows nobody's address.
        let said = String(decoding: line, as: UTF8.self).replacing(address, with: "(the address)")
        return "\(result.terminationStatus)" + (said.isEmpty ? "" : ": \(said)")
    }
}
