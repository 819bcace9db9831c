import Foundation
import NephosRunner
import NephosStorage

/// The location of the keys that seal secrets: a file, or an environment variable.
enum KeyPlace {
    case file(String)
    case variable(String)

    static let fileVariable = "NEPHOS_SECRET_KEY_FILE"
    static let textVariable = "NEPHOS_SECRET_KEY"

    /// The location from the environment; nil if not set: a data folder has its own file.
    ///
    /// - Throws: ``Failure`` if both are set.
    static func current() throws(Failure) -> KeyPlace? {
        switch (CommandContext.variable(fileVariable), CommandContext.variable(textVariable)) {
        case (nil, nil): return nil
        case (let path?, nil): return .file(path)
        case (nil, let text?): return .variable(text)
        case (_?, _?):
            throw Failure("Both \(fileVariable) and \(textVariable) are set: set one of them.", kind: .wrongUsage)
        }
    }

    /// The keys at the location from the environment; nil if not set. To be read before the process becomes the owner of a folder.
    static var currentKeys: Result<SecretKeys?, Failure> {
        do throws(Failure) { return .success(try current()?.keys()) } catch { return .failure(error) }
    }

    static var isInEnvironment: Bool { (try? current()) != nil }

    /// For messages.
    var name: String {
        switch self {
        case .file(let path): path
        case .variable: Self.textVariable
        }
    }

    /// The keys at this location. Later changes of a file are picked up as well.
    ///
    /// - Throws: ``Failure``.
    func keys() throws(Failure) -> SecretKeys {
        do throws(StorageError) {
            switch self {
            case .variable(let text): return SecretKeys(try KeyFile.keys(text, from: name), from: name)
            case .file(let path):
                return SecretKeys(try Self.read(path), from: path) { try? Self.read(path) }
            }
        } catch {
            guard case .noKey(let text) = error else { throw Failure("\(error)", kind: .wrongUsage) }
            throw Failure(text, kind: .wrongUsage)
        }
    }

    /// Checks that a server finds keys that are added to the file later: it may have read the file as root, and be another user now.
    func checkReadable() throws(Failure) {
        guard case .file(let path) = self, OpenedFile.givenDescriptor(path) == nil, access(path, R_OK) != 0 else {
            return
        }
        let name = getgrgid(getegid())?.pointee.gr_name
        let group = name.map { String(cString: $0) } ?? "\(getegid())"
        let word = path.quotedForShell
        throw Failure(
            """
            This server cannot read \(path) again, so it would not find a new key: \(FolderOwner.explain(path)). Run: \
            chgrp \(group) \(word) && chmod 640 \(word)
            """)
    }

    private static func read(_ path: String) throws(StorageError) -> [SecretKey] {
        let bytes: [UInt8]
        do throws(Failure) { bytes = try OpenedFile(path).readSecret() } catch { throw .noKey(error.text) }
        return try KeyFile.keys(String(decoding: bytes, as: UTF8.self), from: path)
    }
}
