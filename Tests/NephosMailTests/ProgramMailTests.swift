import Foundation
import NephosRunner
import NephosTesting
import Testing

@testable import NephosMail

/// docs/mail.md, "Sending through a program".
@Suite struct ProgramMailTests {
    private func program(_ lines: String, in folder: borrowing TemporaryFolder) throws -> ProgramMail {
        let path = folder.path + "/mail"
        try Data("#!/bin/sh\n\(lines)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return ProgramMail(program: path, path: "/usr/bin:/bin")
    }

    private static func message(subject: String = "s", text: String = "t") throws -> MailMessage {
        MailMessage(
            id: Array(1...16), sender: nil, to: try MailAddress("ops@example.com"), subject: subject, text: text,
            date: 0)
    }

    @Test("The program gets the mail with its headers, but nothing of it as an argument, and no environment")
    func sent() async throws {
        let folder = try TemporaryFolder(prefix: "nephos-mail")
        let mail = try program(
            #"echo "$@" > "$(dirname "$0")/args"; cat > "$(dirname "$0")/mail.txt"; env | cut -d= -f1 | sort > "$(dirname "$0")/env""#,
            in: folder)
        try await mail.send(Self.message(subject: "Mehr Käufe", text: "Zeile 1\nZeile 2"))
        #expect(try String(contentsOfFile: folder.path + "/args", encoding: .utf8) == "-i -t\n")
        let text = try String(contentsOfFile: folder.path + "/mail.txt", encoding: .utf8)
        #expect(
            text.hasPrefix("To: ops@example.com\nDate: ") && text.contains("\nSubject: =?UTF-8?B?TWVociBLw6R1ZmU=?=\n"))
        #expect(text.hasSuffix("\n\nZeile 1\nZeile 2\n"))
        let names = try String(contentsOfFile: folder.path + "/env", encoding: .utf8).split(separator: "\n")
        #expect(!names.contains { $0.hasPrefix("NEPHOS") || $0 == "HOME" } && names.contains("PATH"))
    }

    @Test("A process of root does not run the program that a store names, only one that it was started with")
    func root() async throws {
        let folder = try TemporaryFolder(prefix: "nephos-mail")
        _ = try program(#"cat > "$(dirname "$0")/mail.txt""#, in: folder)
        let (path, received) = (folder.path + "/mail", folder.path + "/mail.txt")
        let carrier = try MailCarrier(FeatureSettings())
        if geteuid() == 0 {
            let failure = await #expect(throws: MailFailure.self) {
                _ = try await carrier.send(Self.message(), by: .program(path))
            }
            #expect(failure?.description.contains("runs as root") == true)
            #expect(!FileManager.default.fileExists(atPath: received))
        }
        var settings = FeatureSettings()
        settings.mailProgram = path
        _ = try await MailCarrier(settings).send(Self.message(), by: .program(path))
        #expect(FileManager.default.fileExists(atPath: received))
    }

    @Test("A program with long output delivers, and if it fails the log has the start of its output")
    func loud() async throws {
        let folder = try TemporaryFolder(prefix: "nephos-mail")
        let noise = "cat > /dev/null; head -c 1000000 /dev/zero | tr '\\0' x >&2"
        try await program(noise, in: folder).send(Self.message())
        let failure = await #expect(throws: MailFailure.self) {
            try await program(noise + "; exit 3", in: folder).send(Self.message())
        }
        #expect(failure?.description.hasSuffix(": " + String(repeating: "x", count: 200)) == true)
    }

    @Test("A program that does not read the mail fails or succeeds by its exit code alone")
    func unread() async throws {
        let folder = try TemporaryFolder(prefix: "nephos-mail")
        let long = try Self.message(text: String(repeating: "a line of the mail\n", count: 20_000))
        for _ in 0..<6 {
            try await program("exit 0", in: folder).send(long)
            await #expect(throws: MailFailure.self) { try await program("exit 1", in: folder).send(long) }
        }
    }

    @Test("A failing program and a missing one are reported as such")
    func failed() async throws {
        let folder = try TemporaryFolder(prefix: "nephos-mail")
        let failing = try program(#"echo "no route to host of $(sed -n 's/^To: //p')" >&2; exit 75"#, in: folder)
        let failure = await #expect(throws: MailFailure.self) {
            try await failing.send(Self.message())
        }
        #expect(
            failure?.description.hasSuffix("no route to host of (the address)") == true, "\(failure?.description ?? "")"
        )
        let missing = ProgramMail(program: folder.path + "/nothing", path: "/bin")
        let absent = await #expect(throws: MailFailure.self) {
            try await missing.send(Self.message())
        }
        #expect(absent?.description == "\(folder.path)/nothing does not exist or cannot be run")
        // A folder is executable for the system.
        let aFolder = ProgramMail(program: folder.path, path: "/bin")
        await #expect(throws: MailFailure("\(folder.path) does not exist or cannot be run")) {
            try await aFolder.send(Self.message())
        }
    }
}
