/// The keys that a store names, and where they are stored (docs/decisions/0021). All calls may block.
public protocol SecretKeeper: Sendable {
    /// The keys that this process has.
    var secretKeys: SecretKeys { get }

    /// Reads which keys the store names now.
    ///
    /// - Throws: ``StorageError`` if the store cannot be read.
    func secretNames() throws(StorageError) -> SecretNames

    /// Makes the store name other keys, unless the names have changed since `old` was read.
    ///
    /// - Returns: The keys that the store names now.
    /// - Throws: ``StorageError`` if the store cannot be written; then the names are unchanged, except possibly after
    ///   `unavailable`.
    func change(_ old: SecretNames, to new: SecretNames) throws(StorageError) -> SecretNames

    /// Whether the store creates and changes a key file of its own; otherwise the operator provides the keys.
    var keepsKeys: Bool { get }

    /// Runs `body` while no other command changes the store's own key file.
    ///
    /// - Throws: What `body` throws, and ``StorageError`` if the file cannot be locked.
    func exclusively<Answer>(_ body: () throws -> Answer) throws -> Answer

    /// Replaces the keys in the store's own file. Called only if ``keepsKeys`` is true.
    ///
    /// - Throws: ``StorageError`` if the file cannot be written; then it still contains the previous keys. An engine
    ///   without a key file always throws.
    func keep(_ keys: [SecretKey]) throws(StorageError)

    /// Waits until all writers that began before now have ended: later ones see everything that is committed now.
    ///
    /// - Throws: ``StorageError`` if the store cannot be read, and `CancellationError` if the task is cancelled.
    func settle() async throws
}

extension StorageEngine {
    /// The keeper of the engine's keys; nil for an engine that does not seal secrets.
    public var secrets: (any SecretKeeper)? { self as? any SecretKeeper }
}
