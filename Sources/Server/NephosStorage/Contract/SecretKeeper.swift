/// Which keys a store names, and where they are kept (docs/decisions/0021). All calls may wait.
public protocol SecretKeeper: Sendable {
    /// Those that this process has.
    var secretKeys: SecretKeys { get }

    /// Reads which keys the store names now.
    ///
    /// - Throws: ``StorageError`` when the store cannot be read.
    func secretNames() throws(StorageError) -> SecretNames

    /// Names other keys, unless somebody has changed what the store names since `old` was read.
    ///
    /// - Returns: What the store names now.
    /// - Throws: ``StorageError`` when the store cannot be written; then it names what it named, but for what
    ///   `unavailable` says.
    func change(_ old: SecretNames, to new: SecretNames) throws(StorageError) -> SecretNames

    /// Whether the store has a file of keys of its own, which is made and changed by itself; else the operator does.
    var keepsKeys: Bool { get }

    /// Runs `body` while no other command changes the file.
    ///
    /// - Throws: What `body` throws, and ``StorageError`` when the file cannot be locked.
    func exclusively<Answer>(_ body: () throws -> Answer) throws -> Answer

    /// Puts these into the store's own file, in the place of what was there.
    ///
    /// - Throws: ``StorageError`` when the file cannot be written; then it has the keys that it had. Always where
    ///   ``keepsKeys`` is false.
    func keep(_ keys: [SecretKey]) throws(StorageError)

    /// Waits until nobody writes any more who does not know what is committed now.
    ///
    /// - Throws: ``StorageError`` when the store cannot be asked, and `CancellationError` when the task is cancelled.
    func settle() async throws
}

extension StorageEngine {
    /// nil for one that seals nothing.
    public var secrets: (any SecretKeeper)? { self as? any SecretKeeper }
}
