package import NephosRunner
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// Mails that a program of the operator's sends, as `sendmail` does: it is run with the address as its only argument, and reads the mail with
/// its headers from standard input. It gets no environment but `PATH`, for that of a server holds secrets.
package struct ProgramMail: OutgoingMail {
    /// How long it may take before it is ended.
    private static let deadline: Duration = .seconds(30)
    /// Bytes of its first line of complaint that the log has.
    private static let saidMax = 200

    private let program: String
    private let path: String

    /// - Parameters:
    ///   - program: The path of an executable file.
    ///   - path: Where the program finds others.
    package init(program: String, path: String) { (self.program, self.path) = (program, path) }

    package func send(to address: String, subject: String, text: String) async throws(MailFailure) {
        let message = Self.message(to: address, subject: subject, text: text)
        let end: String?
        do {
            end = try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask { try await run(message, for: address) }
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
        if let end { throw MailFailure("the program for mails failed: \(end)") }
    }

    /// What went wrong; nil where it ended well. How much it says matters to nobody.
    private func run(_ message: String, for address: String) async throws -> String? {
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: [address],
            environment: .custom(["PATH": path]), input: .string(message), output: .discarded, error: .sequence
        ) { execution in
            var said: [UInt8] = []
            for try await buffer in execution.standardError where said.count < Self.saidMax {
                said += buffer.withUnsafeBytes { Array($0.prefix(Self.saidMax - said.count)) }
            }
            return said
        }
        guard !result.terminationStatus.isSuccess else { return nil }
        let line = result.closureResult.prefix { $0 != UInt8(ascii: "\n") }
        return "\(result.terminationStatus)" + (line.isEmpty ? "" : ": \(String(decoding: line, as: UTF8.self))")
    }

    /// With the headers that a mail needs (RFC 5322), the subject encoded where it has more than ASCII (RFC 2047).
    static func message(to address: String, subject: String, text: String) -> String {
        let line = subject.split(whereSeparator: \.isNewline).joined(separator: " ")
        let isPlain = line.utf8.allSatisfy { 0x20...0x7E ~= $0 }
        let encoded = isPlain ? line : "=?UTF-8?Q?\(quoted(line))?="
        return """
            To: \(address)
            Subject: \(encoded)
            MIME-Version: 1.0
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: 8bit
            Auto-Submitted: auto-generated

            \(text)

            """
    }

    private static func quoted(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            if isPlain { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "=" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
