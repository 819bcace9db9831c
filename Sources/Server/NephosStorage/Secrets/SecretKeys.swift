import Synchronization

/// The keys of this process: those that it was given, and those that were added later to the place where they are stored.
public final class SecretKeys: Sendable {
    private struct State {
        var keys: [SecretKey]
        /// nil before the first look: a key may be added to a file right after a process has read it.
        var lastLook: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let known = OpenedSecrets()
    /// For messages: the file or the variable that the keys came from.
    package let place: String
    /// Whether catalogs are read even without their signing keys, so that what depends on a lost key can be removed.
    package let acceptsLoss: Bool
    private let again: @Sendable () -> [SecretKey]?

    /// Creates the keys that a process was given.
    ///
    /// - Parameters:
    ///   - keys: The newest first.
    ///   - place: For messages: the file or the variable that the keys came from.
    ///   - acceptsLoss: See ``acceptsLoss``.
    ///   - again: Reads the keys again from where they are stored; returns nil if they cannot be read now. Called when
    ///     an unknown key is needed, at most once a second, and by ``refresh()``.
    public init(
        _ keys: [SecretKey], from place: String, acceptsLoss: Bool = false,
        again: @escaping @Sendable () -> [SecretKey]? = { nil }
    ) {
        state = Mutex(State(keys: keys))
        self.place = place
        self.acceptsLoss = acceptsLoss
        self.again = again
    }

    /// The same keys for a caller that removes what depends on a lost key.
    package var acceptingLoss: SecretKeys {
        SecretKeys(state.withLock { $0.keys }, from: place, acceptsLoss: true, again: again)
    }

    /// The key that seals the next secrets; nil without keys.
    public var newest: SecretKey? { state.withLock { $0.keys.first } }

    /// The key with an ID; nil if it is still unknown after the stored keys were read again.
    public subscript(_ id: Int64) -> SecretKey? {
        if let known = state.withLock({ $0.keys.first { $0.id == id } }) { return known }
        return look().first { $0.id == id }
    }

    /// The opened form of a stored value; nil if no key opens it in this place.
    func opened(_ stored: [UInt8], for place: [UInt8]) -> [UInt8]? {
        guard let id = SecretKey.id(of: stored) else { return nil }
        return known.bytes(stored, for: place) { self[id]?.open(stored, for: place) }
    }

    // MARK: Messages

    private static let ofMessages = Array("message".utf8)

    /// A message that only a process with the same keys can read or create; nil without keys.
    package func sealed(message bytes: [UInt8]) throws(StorageError) -> [UInt8]? {
        guard let newest else { return nil }
        return try newest.seal(bytes, for: Self.ofMessages)
    }

    /// The content of such a message; nil for anything else.
    package func opened(message: [UInt8]) -> [UInt8]? {
        guard let id = SecretKey.id(of: message) else { return nil }
        return self[id]?.open(message, for: Self.ofMessages)
    }

    // MARK: Stores

    /// The key that a store is sealed under.
    ///
    /// - Parameter id: ``SecretKey/id``; 0 for a store in the clear.
    /// - Returns: nil for a store in the clear.
    /// - Throws: ``StorageError/noKey(_:)`` if this process lacks it.
    package func key(named id: Int64) throws(StorageError) -> SecretKey? {
        guard id != 0 else { return nil }
        if let key = self[id] { return key }
        throw missing
    }

    /// The error for a store whose key is missing.
    package var missing: StorageError {
        let isEmpty = state.withLock { $0.keys.isEmpty }
        return .noKey(
            """
            The secrets of this store are sealed under a key that \(isEmpty ? "was not given: \(place) is missing" : "is not in \(place)"). \
            Restore the file of the store's keys, or set NEPHOS_SECRET_KEY_FILE to it (docs/running.md, "The secret key").
            """)
    }

    /// Reads the keys again, regardless of when they were last read.
    public func refresh() { state.withLock { read(into: &$0) } }

    /// A caller that needs an unknown key while another one reads the keys waits for the result.
    private func look() -> [SecretKey] {
        state.withLock { state in
            let isRecent = state.lastLook.map { ContinuousClock.now - $0 <= .seconds(1) } ?? false
            if !isRecent { read(into: &state) }
            return state.keys
        }
    }

    private func read(into state: inout State) {
        state.lastLook = ContinuousClock.now
        if let keys = again() { state.keys = keys }
    }
}
