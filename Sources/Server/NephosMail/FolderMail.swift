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
            // The folder is in a data folder, which may be behind a link; it is none itself.
            let folder = NoFollow.resolved(above: self.folder)
            try createFolder(folder)
            try write(ComposedMail(mail).bytes, to: "\(folder)/\(FilePath(path).lastComponent?.string ?? "")")
        } catch {
            let code = error as? Errno
            let isDenied = [.permissionDenied, .notPermitted].contains(code)
            let reason =
                isDenied
                ? FolderOwner.explain(folder)
                : code.flatMap { NoFollow.explain($0.rawValue) ?? $0.description } ?? error.localizedDescription
            throw MailFailure("cannot write to the folder for mails, \(folder): \(reason)")
        }
        return path
    }

    private func createFolder(_ folder: String) throws {
        guard NoFollow.status(folder) == nil else { return }
        let above = FilePath(folder).removingLastComponent().string
        try FileManager.default.createDirectory(
            atPath: above, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard NoFollow.at(folder, { mkdirat($0, $1, 0o700) }) == 0 else {
            // Another process was first.
            if errno == EEXIST { return }
            throw Errno(rawValue: errno)
        }
        let code = FolderOwner.takesFolder(at: folder)
        guard code == 0 else { throw Errno(rawValue: code) }
    }

    /// The file appears under its name once it is complete.
    private func write(_ bytes: [UInt8], to path: String) throws {
        let fresh = "\(path).\(UInt32.random(in: .min ... .max)).new"
        let file = FileDescriptor(
            rawValue: try check(
                NoFollow.at(fresh) { openat($0, $1, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }))
        do {
            try file.closeAfter {
                let code = FolderOwner.takes(file.rawValue, at: path)
                guard code == 0 else { throw Errno(rawValue: code) }
                try file.writeAll(bytes)
            }
            _ = try check(
                NoFollow.at(fresh) { from, old in NoFollow.at(path) { to, new in renameat(from, old, to, new) } })
        } catch {
            _ = NoFollow.at(fresh) { unlinkat($0, $1, 0) }
            throw error
        }
    }

    /// - Parameter result: What the system returned.
    private func check(_ result: Int32) throws(Errno) -> Int32 {
        guard result >= 0 else { throw Errno(rawValue: errno) }
        return result
    }
}
