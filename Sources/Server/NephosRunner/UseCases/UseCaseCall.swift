package import CloudKitWire
package import NephosAssets
import NephosDomain
package import NephosStorage

/// Who runs a use case.
package enum UseCaseActor: Sendable {
    /// The operator of the server, by command, with a user name of the system.
    case operatorByCommand(String)

    /// The author as recorded in histories.
    package var author: String {
        switch self {
        case .operatorByCommand(let name): "\(name) by command"
        }
    }
}

/// Returns the next bytes of an input; empty at its end.
package typealias InputPieces = () throws(Failure) -> [UInt8]

/// The environment of a running use case. Each interface has its own implementation; currently the command.
package protocol UseCaseCall: Sendable {
    var actor: UseCaseActor { get }

    /// The features linked into the program.
    var features: [Feature] { get }

    // MARK: The store

    /// Whether there is a store to open.
    var hasStore: Bool { get throws(Failure) }
    /// Opened on first use, and closed when the use case ends.
    var engine: any StorageEngine { get throws }
    /// The files of assets.
    var files: any AssetStore { get throws(Failure) }
    /// The location of ``files``, for people.
    var filesLocation: String { get }
    /// The transport for mails.
    var mail: any OutgoingMail { get throws }
    /// Where people reach a server that is started with the same settings; nil if they do not say.
    var publicURL: PublicURL? { get }
    /// The location of the store, for people. Contains no secret.
    var place: String { get }
    /// Whether that is a database, not a folder.
    var isDatabase: Bool { get }

    // MARK: Time and random bytes

    /// Milliseconds since 1970-01-01 UTC.
    func now() -> Milliseconds
    /// That many random bytes, suitable for secrets.
    func randomBytes(_ count: Int) -> [UInt8]

    // MARK: The operator

    /// Shows something in addition to the result.
    func note(_ text: String)
    /// Shows progress, replacing the previous text. An empty text clears it.
    func progress(_ text: String)
    /// Shows a part of the answer before it is complete.
    func show(_ part: UseCaseAnswer) throws(Failure)
    /// Whether somebody can answer questions.
    var isAnswered: Bool { get }
    /// Prompts the operator; nil when there is no more input.
    func ask(_ question: String) -> String?
    /// The operator's standard input.
    func input() throws(Failure) -> [UInt8]
    /// The same in pieces.
    func inputPieces() throws(Failure) -> InputPieces
    /// A file of the operator. One that an input names was opened before the store; others, which are named in files, are opened now,
    /// so read them before the store is used.
    func opened(_ file: InputFile) throws(Failure) -> OpenedFile
    /// Creates a file of the operator that only its owner can read; an existing one is never replaced.
    func create(_ file: NewSecretFile, _ bytes: [UInt8]) throws(Failure)
    /// Creates a folder of the operator to be filled.
    func folder(_ folder: NewFolder) throws(Failure) -> FolderSink
    /// Has the operator edit a text in a file of this name; returns what it is when the editor is closed.
    func edit(_ text: String, in name: String) throws(Failure) -> String
    /// The command line of a use case, with its arguments, for the same store.
    func command(_ words: String) -> String
}

extension UseCaseCall {
    package var mail: any OutgoingMail { NoOutgoingMail() }
    package var publicURL: PublicURL? { nil }

    package func opened(_ file: InputFile) throws(Failure) -> OpenedFile { try OpenedFile(file.path) }

    package func create(_ file: NewSecretFile, _ bytes: [UInt8]) throws(Failure) {
        throw Failure("No files can be created here.")
    }

    package func folder(_ folder: NewFolder) throws(Failure) -> FolderSink { try FolderSink(folder.path) }

    package func edit(_ text: String, in name: String) throws(Failure) -> String {
        throw Failure("No editor can be opened here. Pass a file.", kind: .wrongUsage)
    }

    /// All of it in one piece.
    package func inputPieces() throws(Failure) -> InputPieces {
        var rest = try input()
        return { () throws(Failure) in
            defer { rest = [] }
            return rest
        }
    }

    /// Reads a file, or standard input if none is named, in pieces: each call returns the next bytes, and none at the end.
    package func pieces(ofFileOrInput file: InputFile?) throws(Failure) -> InputPieces {
        if let file { try opened(file).pieces() } else { try inputPieces() }
    }

    /// The content of a file.
    package func contents(of file: InputFile) throws(Failure) -> [UInt8] { try opened(file).read() }

    /// The content of a file, or standard input if none is named.
    package func contents(ofFileOrInput file: InputFile?) throws(Failure) -> [UInt8] {
        if let file { try contents(of: file) } else { try input() }
    }

    /// The content of a file that other users must not be able to read.
    package func secret(in file: InputFile) throws(Failure) -> [UInt8] { try opened(file).readSecret() }

    /// The password in a file, or from standard input for `-`; without the trailing line break. It is never an argument, because others on
    /// the machine could see that.
    package func password(inFile file: InputFile) throws(Failure) -> String {
        let bytes = file.path == "-" ? try input() : try secret(in: file)
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("The password is not valid UTF-8. Save the file as UTF-8.")
        }
        if text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// That the settings of a container lack the section of a feature, and the next step: production gets its settings from
    /// development, so what is missing there comes first.
    ///
    /// - Parameters:
    ///   - things: The name of the section, such as `flags`.
    ///   - type: The record type that the feature creates. If it exists, the section was removed.
    ///   - words: The arguments of the command that creates the first in development.
    package func lacking(_ things: String, of type: Name, in tenant: Tenant, creating words: String) throws -> String {
        let administration = try self.administration
        let isDeployed = tenant.environment == .production
        let development = Tenant(container: tenant.container, environment: .development)
        let catalog = try administration.read(administration.store(development)).catalog
        let deploy = command("schema deploy \(tenant.container)")
        if isDeployed, catalog.sections[things] != nil {
            return "\(tenant) has no \(things). Production gets its settings with: \(deploy)"
        }
        let rest = isDeployed ? "\nProduction gets its settings afterwards, with: \(deploy)" : ""
        if catalog.types[type] != nil {
            let mend = command("settings import \(development.asTyped) FILE")
            return """
                The settings of \(development) have no section \(things), so records of type \(type) are not used. Add the section \
                (docs/settings.md) with: \(mend)\(rest)
                """
        }
        return
            "\(tenant) has no \(things). Create the first\(isDeployed ? " in development" : "") with: \(command(words))\(rest)"
    }

    /// Confirms an operation that cannot be undone.
    ///
    /// - Parameters:
    ///   - what: What would happen, as a sentence: `This deletes record a of iCloud.x.` If it has several lines, the prompt follows them.
    ///   - word: The word that the operator types to continue; nil for a yes.
    ///   - isSure: The operator has confirmed in advance; see ``Input/yes``.
    /// - Throws: ``Failure`` if the answer is no, and if nobody can answer.
    package func confirm(_ what: String, typing word: String? = nil, unless isSure: Bool) throws(Failure) {
        if isSure { return }
        let what = what + (what.contains("\n") ? "\n" : " ")
        guard isAnswered else {
            throw Failure("\(what)Nothing was changed. Pass --yes to skip the prompt.", kind: .wrongUsage)
        }
        if let word {
            guard ask("\(what)Type \(word) to continue: ") == word else {
                throw Failure("Nothing was done: \(word) was not typed.")
            }
            return
        }
        let answer = ask("\(what)Continue? [y/N] ") ?? ""
        guard ["y", "yes"].contains(answer.lowercased()) else { throw Failure("Nothing was done.") }
    }
}

extension UseCaseCall {
    /// The web auth token in a file, as `nephos session create` prints it. The token itself works, too, although others on the machine
    /// may see it.
    package func webAuthToken(in file: InputFile) throws(Failure) -> String {
        if WebAuthToken.sessionID(of: file.path) != nil { return file.path }
        return String(decoding: try secret(in: file).filter { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    }
}
