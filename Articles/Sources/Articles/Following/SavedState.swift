import CloudKit

/// What an app keeps between its launches, in the folder in which it was started.
enum SavedState {
    static func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: name) }

    static func note(_ name: String) { _ = FileManager.default.createFile(atPath: name, contents: nil) }

    static func token(_ name: String) -> CKServerChangeToken? {
        guard let bytes = FileManager.default.contents(atPath: name) else { return nil }
        return try? NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: bytes)
    }

    static func save(_ token: CKServerChangeToken?, _ name: String) {
        guard let token else { return }
        do {
            try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
                .write(to: URL(fileURLWithPath: name), options: .atomic)
            print("saved", name)
        } catch {
            print("failed to save \(name): \(error)")
        }
    }
}
