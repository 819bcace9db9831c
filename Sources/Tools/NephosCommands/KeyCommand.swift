import ArgumentParser
import Foundation
import NephosAdmin
import NephosRunner

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Register, list and revoke server-to-server keys, which let another server in.",
        subcommands: [
            Create.self, ListCredentials<KeyWords>.self, RenameCredential<KeyWords>.self,
            RevokeCredential<KeyWords>.self,
        ])

    struct Create: AdministrationCommand {
        static let configuration = CommandConfiguration(
            abstract: "Register a P-256 key and print its id.",
            discussion: """
                Either the pair is made here and its private half goes to a new file that only you can read, or you \
                bring the public half.

                Examples:

                  nephos key create iCloud.com.example.app --generate key.pem
                  nephos key create iCloud.com.example.app --public-key public.pem
                """)

        @OptionGroup var place: TenantArguments
        @Option(help: ArgumentHelp("Make a pair; the private half (PEM) goes to this new file.", valueName: "file"))
        var generate: String?
        @Option(help: ArgumentHelp("Register the public half (PEM) in this file.", valueName: "file"))
        var publicKey: String?
        @OptionGroup var data: DataOptions

        func validate() throws {
            guard (generate == nil) != (publicKey == nil) else {
                throw ValidationError("Say either --generate FILE or --public-key FILE.")
            }
        }

        func run(_ administration: Administration) async throws {
            if let publicKey {
                let pem = try PEMFile(path: publicKey).read()
                Terminal.answer(
                    try await administration.registerServerKey(in: place.tenant, publicKeyPEM: pem))
            } else if let generate {
                let file = PEMFile(path: generate)
                Terminal.answer(try await makePair(into: file, administration))
                Terminal.note("The private key is in \(generate). Keep it; the server has only the public half.")
            }
        }

        /// A file whose key was not registered is good for nothing, and goes.
        private func makePair(into file: PEMFile, _ administration: Administration) async throws -> String {
            var isWritten = false
            do {
                return try await administration.generateServerKey(in: place.tenant) { pem in
                    try file.create(pem)
                    isWritten = true
                }
            } catch {
                if isWritten { unlink(file.path) }
                throw error
            }
        }
    }
}

/// A key in a file.
private struct PEMFile {
    var path: String

    func read() throws(Failure) -> String {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Failure("Cannot read \(path). Check that it is there and that you may read it.")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes a new file that only its owner can read. Never over one that is there: it may be a key in use.
    func create(_ pem: String) throws(Failure) {
        try SecretFile(path: path).create(Array((pem.hasSuffix("\n") ? pem : pem + "\n").utf8))
    }
}
