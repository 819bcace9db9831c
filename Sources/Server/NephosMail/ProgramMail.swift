import Foundation
import NephosRunner
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Sends mails with a program of the operator, such as `sendmail`: it is run with ``arguments``, and reads the mail with its headers,
/// which name the recipient, from standard input. Its only environment variable is `PATH`, because the server's environment contains
/// secrets.
struct ProgramMail {
    /// What all programs like sendmail understand: the recipient is in the header `To`, and a line that is a dot does not end the
    /// mail. No argument is text that a person wrote, which a program, or a shell that it runs, could take for something else.
    static let arguments = ["-i", "-t"]
    /// The time after which it is terminated.
    private static let deadline: Duration = .seconds(30)
    /// The maximum bytes of its first line of error output in the log.
    private static let errorLineMax = 200

    private let program: String
    private let path: String

    /// - Parameters:
    ///   - program: The path of an executable file.
    ///   - path: Its search path for other programs.
    init(program: String, path: String) { (self.program, self.path) = (program, path) }

    func send(_ mail: MailMessage) async throws(MailFailure) {
        guard MailWay.isProgram(program) else {
            throw MailFailure("\(program) does not exist or cannot be run")
        }
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
            let reason = "\(error)".trimmingCharacters(in: CharacterSet(charactersIn: "."))
            throw MailFailure("\(program) cannot be run: \(reason)")
        }
        // It may accept other mails: only this one is postponed.
        if let end { throw MailFailure("the mail program failed: \(end)", .passing) }
    }

    /// The error; nil for success. The amount of its output is not limited.
    private func run(_ message: [UInt8], for address: String) async throws -> String? {
        let input = try Self.file(with: message)
        defer { try? input.close() }
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(Self.arguments), environment: .custom(["PATH": path]),
            input: .fileDescriptor(input, closeAfterSpawningProcess: false), output: .discarded, error: .sequence
        ) { execution in
            var reply: [UInt8] = []
            for try await buffer in execution.standardError where reply.count < Self.errorLineMax {
                reply += buffer.withUnsafeBytes { Array($0.prefix(Self.errorLineMax - reply.count)) }
            }
            return reply
        }
        guard !result.terminationStatus.isSuccess else { return nil }
        let line = result.closureResult.prefix { $0 != UInt8(ascii: "\n") }
        // The log must not contain anybody's address.
        let reply = String(decoding: line, as: UTF8.self).replacing(address, with: "(the address)")
        return result.terminationStatus.shown + (reply.isEmpty ? "" : ": \(reply)")
    }

    /// A file without a name that contains the message. A pipe would break when a program ends before it has read all of it: that ends
    /// a command by SIGPIPE, and Subprocess ends the process.
    private static func file(with message: [UInt8]) throws -> FileDescriptor {
        let path = FileManager.default.temporaryDirectory.appending(path: "nephos-mail-\(UUID().uuidString)").path
        let file = try FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: .ownerReadWrite)
        do {
            guard unlink(path) == 0 else { throw Errno(rawValue: errno) }
            try file.writeAll(message)
            try file.seek(offset: 0, from: .start)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }
}

extension TerminationStatus {
    fileprivate var shown: String {
        switch self {
        case .exited(let code): "exit code \(code)"
        case .signaled(let signal): "ended by signal \(signal)"
        }
    }
}
