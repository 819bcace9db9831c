import CloudKitWire
import Foundation
import NephosRunner

/// Mails as files, for development: one file per mail, which mail programs can open.
struct FolderMail {
    let folder: String

    /// - Returns: The path of the file.
    func write(_ mail: MailMessage) throws(MailFailure) -> String {
        let path = "\(folder)/\(mail.date)-\(Hexadecimal.text(mail.id.prefix(4))).eml"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // Atomic: the file appears under its name once it is complete.
            try Data(ComposedMail(mail).bytes).write(to: URL(filePath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw MailFailure("the folder for mails cannot be written to: \(error.localizedDescription)")
        }
        return path
    }
}
