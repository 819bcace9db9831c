/// The path of a file or folder that an operator names. Its type says what the use case does there, so that whoever runs it can open
/// it as the operator, before the process becomes the owner of a store (docs/decisions/0055).
package protocol NamedPath: InputWord {
    var path: String { get }
    init(path: String)
}

extension NamedPath {
    package init?(typed text: String) { self.init(path: text) }
    package var asTyped: String { path }
}

/// A file that is read: ``UseCaseCall/contents(of:)``.
package struct InputFile: NamedPath, Hashable {
    package let path: String

    package init(path: String) { self.path = path }
}

/// A file that is written; an existing one is replaced: ``UseCaseAnswer/bytes(_:into:)``.
package struct OutputFile: NamedPath {
    package let path: String

    package init(path: String) { self.path = path }
}

/// A new file with a secret, which only its owner can read: ``UseCaseCall/create(_:)``.
package struct NewSecretFile: NamedPath {
    package let path: String

    package init(path: String) { self.path = path }
}

/// A new or empty folder that is filled, which only its owner can read: ``UseCaseCall/folder(_:)``.
package struct NewFolder: NamedPath {
    package let path: String

    package init(path: String) { self.path = path }
}
