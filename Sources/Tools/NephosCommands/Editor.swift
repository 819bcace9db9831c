import Foundation
import NephosRunner

/// The operator's editor: `VISUAL`, `EDITOR`, or the one that Debian's systems have as `editor`.
struct Editor {
    private static let ofSystem = "/usr/bin/editor"

    /// A line of shell, which may contain arguments: `code --wait`.
    private let command: String

    /// - Throws: ``Failure`` if there is no terminal, or no editor.
    init() throws(Failure) {
        guard Terminal.isAnswered else {
            throw Failure("An editor needs a terminal. Pass a file instead.", kind: .wrongUsage)
        }
        let named = CommandContext.variable("VISUAL") ?? CommandContext.variable("EDITOR")
        guard let command = named ?? (access(Self.ofSystem, X_OK) == 0 ? Self.ofSystem : nil) else {
            throw Failure("No editor is set. Set EDITOR, such as EDITOR=nano, or pass a file.", kind: .wrongUsage)
        }
        self.command = command
    }

    /// - Returns: The text when the editor is closed.
    func edit(_ text: String, in name: String) throws(Failure) -> String {
        let folder = try Self.newFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/\(name)"
        try OutputFile(path: path).write(Array(text.utf8))
        try run(path)
        guard let edited = String(validating: try InputFile(path: path).bytes, as: UTF8.self) else {
            throw Failure("The text is not UTF-8. Save it as UTF-8.")
        }
        return edited
    }

    /// A folder that only this user can read.
    private static func newFolder() throws(Failure) -> String {
        // The process may have become a user who cannot write into the folder that the operator's variables name.
        let places = [FileManager.default.temporaryDirectory.path, "/tmp"]
        let place = places.first { access($0, W_OK) == 0 } ?? "/tmp"
        var path = Array("\(place)/nephos-edit-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw Failure("Cannot create a temporary folder: \(String(cString: strerror(errno))). Pass a file instead.")
        }
        return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Waits until the editor is closed. What a person types meanwhile, such as Control-C, is for the editor alone.
    private func run(_ path: String) throws(Failure) {
        let ignored = CommandContext.current.becomesOwners ? [SIGINT, SIGQUIT] : []
        let handlers = ignored.map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in handlers { signal(number, handler) } }
        let status = try Self.wait(
            for: Self.spawn(["/bin/sh", "-c", "\(command) \"$1\"", "editor", path], resetting: ignored))
        guard status == 0 else {
            throw Failure("The editor \(command) ended with an error (\(status)). Nothing was saved.")
        }
    }

    /// Starts a program with the streams of this one.
    ///
    /// - Parameter signals: Signals that it gets although this process ignores them.
    private static func spawn(_ arguments: [String], resetting signals: [Int32]) throws(Failure) -> pid_t {
        let words = arguments.map { strdup($0) }
        let variables = CommandContext.current.environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in words + variables { free(text) } }
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
        #else
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        posix_spawnattr_setsigdefault(&attributes, &set)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let code = posix_spawn(&process, arguments[0], nil, &attributes, words + [nil], variables + [nil])
        guard code == 0 else {
            throw Failure("The editor cannot be started: \(String(cString: strerror(code))). Pass a file instead.")
        }
        return process
    }

    /// - Returns: Its exit code, or 128 and the number of the signal that ended it, as a shell reports it.
    private static func wait(for process: pid_t) throws(Failure) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Failure("The editor was lost: \(String(cString: strerror(errno))).") }
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

extension InputFile {
    fileprivate var bytes: [UInt8] { get throws(Failure) { try OpenedFile(path).read() } }
}
