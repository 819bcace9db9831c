import CloudKitWire
import Foundation
import NephosRunner
import NephosStorage
import SystemPackage

/// Mails as files, for development: one file per mail, which mail programs can open.
struct FolderMail {
    let folder: String

    /// - Returns: The path of the file.
    func write(_ mail: MailMessage) throws(MailFailure) -> String {
        let path = "\(folder)/\(mail.date)-\(Hexadecimal.text(mail.id.prefix(4))).eml"
        do {
            try createFolder()
            try write(ComposedMail(mail).bytes, to: path)
        } catch {
            let isDenied = [.permissionDenied, .notPermitted].contains(error as? Errno)
            let reason =
                isDenied ? FolderOwner.explain(folder) : (error as? Errno)?.description ?? error.localizedDescription
            throw MailFailure("cannot write to the folder for mails, \(folder): \(reason)")
        }
        return path
    }

    private func createFolder() throws {
        guard !FileManager.default.fileExists(atPath: folder) else { return }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try check(FolderOwner.takesFolder(at: folder))
    }

    /// The file appears under its name once it is complete.
    private func write(_ bytes: [UInt8], to path: String) throws {
        let fresh = FilePath("\(path).\(UInt32.random(in: .min ... .max)).new")
        let file = try FileDescriptor.open(
            fresh, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
        do {
            try file.closeAfter {
                try check(FolderOwner.takes(file.rawValue, at: path))
                try file.writeAll(bytes)
            }
            guard rename(fresh.string, path) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            try? FileManager.default.removeItem(atPath: fresh.string)
            throw error
        }
    }

    /// - Parameter code: 0, or the system's error.
    private func check(_ code: Int32) throws(Errno) {
        guard code == 0 else { throw Errno(rawValue: code) }
    }
}
