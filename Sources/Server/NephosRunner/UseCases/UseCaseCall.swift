package import NephosAssets
package import NephosStorage

/// Who has a use case run.
package enum UseCaseActor: Sendable {
    /// Whoever runs the server, by command, under a name of the system's.
    case operatorByCommand(String)

    /// How histories name it.
    package var author: String {
        switch self {
        case .operatorByCommand(let name): "\(name) by command"
        }
    }
}

/// Gives the next bytes of what is read; none at its end.
package typealias InputPieces = () throws(Failure) -> [UInt8]

/// What a use case has of the world around it while it runs. A value of another kind for each way in: a command now.
package protocol UseCaseCall: Sendable {
    var actor: UseCaseActor { get }

    /// What the program has beside the core.
    var features: [Feature] { get }

    // MARK: The store

    /// Whether there is something to open.
    var hasStore: Bool { get throws(Failure) }
    /// Opened when it is first asked for, and closed when the use case is over.
    var engine: any StorageEngine { get throws }
    /// The files of assets.
    var files: any AssetStore { get throws(Failure) }
    /// How mails leave.
    var mail: any OutgoingMail { get throws }
    /// Where everything is, for people. Holds no secret.
    var place: String { get }
    /// Whether that is a database, and no folder.
    var isDatabase: Bool { get }

    // MARK: Time and chance

    /// Milliseconds since 1970-01-01 UTC.
    func now() -> Milliseconds
    /// That many random bytes, fit for secrets.
    func randomBytes(_ count: Int) -> [UInt8]

    // MARK: The operator

    /// Says something that was not asked for.
    func note(_ text: String)
    /// Shows how far it is, in the place of what was shown before. An empty text takes it away.
    func progress(_ text: String)
    /// Gives a part of the answer before the end is known.
    func tell(_ part: UseCaseAnswer) throws(Failure)
    /// Whether somebody can answer questions.
    var isAnswered: Bool { get }
    /// Asks; nil when nobody answers any more.
    func ask(_ question: String) -> String?
    /// What the operator hands in besides the inputs.
    func input() -> [UInt8]
    /// The same bit by bit, of a file of the operator's or of what is handed in where none is named: each call gives the next bytes, and
    /// none at the end.
    func pieces(ofFileOrInput file: String?) throws(Failure) -> InputPieces
    /// What is in a file of the operator's.
    func contents(of file: String) throws(Failure) -> [UInt8]
    /// Paths of the operator's files with such an ending, in order: of all in a folder and its folders, or of one file.
    func files(at path: String, endingIn ending: String) throws(Failure) -> [String]
    /// How an operator calls a use case, with its arguments, so that it means the same store.
    func command(_ words: String) -> String
}

extension UseCaseCall {
    package var mail: any OutgoingMail { NoOutgoingMail() }

    /// All of it in one piece.
    package func pieces(ofFileOrInput file: String?) throws(Failure) -> InputPieces {
        var rest = try contents(ofFileOrInput: file)
        return { () throws(Failure) in
            defer { rest = [] }
            return rest
        }
    }

    /// What is in a file, or what the operator hands in where none is named.
    package func contents(ofFileOrInput file: String?) throws(Failure) -> [UInt8] {
        if let file { try contents(of: file) } else { input() }
    }

    /// The password that a file has, or that the operator hands in for `-`; without the line break after it. It is never an argument, which
    /// others on the machine could see.
    package func password(inFile file: String) throws(Failure) -> String {
        let bytes = file == "-" ? input() : try contents(of: file)
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("The password is no UTF-8. Save the file as that.")
        }
        if text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// Makes sure that something which cannot be undone is meant.
    ///
    /// - Parameters:
    ///   - what: What would happen, as a sentence: `This deletes record a of iCloud.x.`
    ///   - word: What the operator types to go on; nil for a yes.
    ///   - isSure: The operator said so beforehand; see ``Input/yes``.
    /// - Throws: ``Failure`` when the answer is no, and where nobody can answer.
    package func confirm(_ what: String, typing word: String? = nil, unless isSure: Bool) throws(Failure) {
        if isSure { return }
        guard isAnswered else {
            throw Failure("\(what) Pass --yes to skip the prompt.", kind: .wrongUsage)
        }
        if let word {
            guard ask("\(what) Type \(word) to go on: ") == word else {
                throw Failure("Nothing was done: \(word) was not typed.")
            }
            return
        }
        let answer = ask("\(what) Go on? [y/N] ") ?? ""
        guard ["y", "yes"].contains(answer.lowercased()) else { throw Failure("Nothing was done.") }
    }
}
