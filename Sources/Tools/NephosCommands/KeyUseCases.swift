import Foundation
import NephosAdmin
import NephosRunner
import NephosStorage

extension UseCaseGroup {
    static let keys = UseCaseGroup(
        "key", abstract: "Register, list and revoke server-to-server keys, which let another server in.",
        [.createKey] + UseCase.credentials(.key))
}

extension UseCase {
    /// Defined here and not in `NephosAdmin`, because the private key is written directly to a file that only its owner can read,
    /// and is never shown.
    fileprivate static let createKey = UseCase(
        "key create", .changes, abstract: "Register a P-256 key and print its id.",
        discussion: """
            Either create a key pair here, whose private half is written to a new file that only you can read, or pass \
            the public half of your own.

            Examples:

              nephos key create iCloud.com.example.app --generate key.pem
              nephos key create iCloud.com.example.app --public-key public.pem
            """,
        .tenant, .keySource
    ) { call, tenant, source in
        let administration = try call.administration
        switch source {
        case .publicHalf(let file):
            let pem = String(decoding: try call.contents(of: file), as: UTF8.self)
            do {
                return .text(try await administration.registerServerKey(in: tenant, publicKeyPEM: pem))
            } catch AdminError.notPublicKey {
                throw Failure("\(file.path) \(AdminError.publicKeyExpectation)", kind: .wrongUsage)
            }
        case .newPair(let file):
            return .text(try await makePair(into: file, call, tenant, administration))
                .noting("The private key is in \(file.path). Keep it; the server has only the public half.")
        }
    }

    /// A file whose key could not be registered is useless, and is removed.
    private static func makePair(
        into file: NewSecretFile, _ call: any UseCaseCall, _ tenant: Tenant, _ administration: Administration
    ) async throws -> String {
        var isWritten = false
        do {
            return try await administration.generateServerKey(in: tenant) { pem in
                // Never overwrites a file, which may contain a key in use.
                try call.create(file, Array((pem.hasSuffix("\n") ? pem : pem + "\n").utf8))
                isWritten = true
            }
        } catch {
            if isWritten { unlink(file.path) }
            throw error
        }
    }
}

/// The source of a key, with its file.
private enum KeySource: Sendable {
    case newPair(NewSecretFile)
    case publicHalf(InputFile)
}

extension Input where Value == KeySource {
    fileprivate static var keySource: Input {
        Input(
            Input<NewSecretFile?>.option(
                "generate", valueName: "file", help: "Create a pair and write the private half (PEM) to this new file."),
            Input<InputFile?>.option(
                "public-key", valueName: "file", help: "Register the public half (PEM) from this file.")
        ) { generate, publicKey throws(WrongInput) in
            switch (generate, publicKey) {
            case (let file?, nil): .newPair(file)
            case (nil, let file?): .publicHalf(file)
            default:
                throw WrongInput(
                    "Pass either --generate FILE, which creates a key, or --public-key FILE, which registers one that you have."
                )
            }
        }
    }
}
