public import NephosStorage

/// Why administration refused. The text says what happened and what was expected; how to go on (which command, which
/// button) is added by whoever shows it.
public enum AdminError: Error, Sendable, Equatable {
    /// A value that can never be right: the caller's mistake.
    case invalid(InvalidValue)
    case noContainer(String)
    case containerExists(String)
    case noAccount(String)
    case accountExists(String)
    /// The key is registered in this tenant already; its id.
    case keyExists(String)
    /// The store failed.
    case storage(StorageError)
}

/// A value that was refused: which one, and what is expected of it.
public struct InvalidValue: Sendable, Equatable {
    /// What the value was to be, for example `container id`.
    public var what: String
    public var value: String
    public var expected: String

    public init(what: String, value: String, expected: String) {
        self.what = what
        self.value = value
        self.expected = expected
    }
}

extension AdminError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalid(let wrong): "\(wrong.value.debugDescription) is no \(wrong.what). Expected: \(wrong.expected)."
        case .noContainer(let id): "No container \(id)."
        case .containerExists(let id): "There is a container \(id) already."
        case .noAccount(let email): "No account \(email)."
        case .accountExists(let email): "There is an account \(email) already."
        case .keyExists(let id): "This key is registered already. Its id is \(id)."
        case .storage(let error): error.sentence
        }
    }
}

extension StorageError {
    /// What happened, and what to look at, for a person who runs the server.
    var sentence: String {
        switch self {
        case .noSuchTenant: "The container was deleted."
        case .busy: "Too many writers wait. Try again in a moment."
        case .full: "The disk is full. Free some space and try again; nothing was lost."
        case .readOnly: "The data folder cannot be written. Check who owns it and how it is mounted."
        case .corrupt(let what): "What is stored is not what was written: \(what). See: nephos check"
        case .newer(let what): "The data was written by a newer version of Nephos (\(what)). Use that version."
        case .exists: "The name is taken."
        case .closed: "The store is closed."
        case .failed(let what): "The store failed: \(what)"
        }
    }
}
