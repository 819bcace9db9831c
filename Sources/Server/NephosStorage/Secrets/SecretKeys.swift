import Synchronization

/// The keys that this process has: those that it was given, and those that came since into the place where they are kept.
public final class SecretKeys: Sendable {
    private struct State {
        var keys: [SecretKey]
        var lastLook = ContinuousClock.now
    }

    private let state: Mutex<State>
    /// For messages: the file or the variable that they came from.
    package let place: String
    private let again: @Sendable () -> [SecretKey]?

    /// - Parameters:
    ///   - keys: The newest first.
    ///   - place: For messages: the file or the variable that they came from.
    ///   - again: Looks where they are kept once more; nil where that cannot be read now. Asked for a key that is not known, at
    ///     most once a second.
    public init(
        _ keys: [SecretKey], from place: String, again: @escaping @Sendable () -> [SecretKey]? = { nil }
    ) {
        state = Mutex(State(keys: keys))
        self.place = place
        self.again = again
    }

    /// Under which the next secrets are to be sealed; nil without any.
    public var newest: SecretKey? { state.withLock { $0.keys.first } }

    public subscript(_ id: Int64) -> SecretKey? {
        if let known = state.withLock({ $0.keys.first { $0.id == id } }) { return known }
        return look().first { $0.id == id }
    }

    /// The key that a store names.
    ///
    /// - Parameter id: ``SecretKey/id``; 0 for a store in the clear.
    /// - Returns: nil for a store in the clear.
    /// - Throws: ``StorageError/noKey(_:)`` where this process lacks it.
    package func key(named id: Int64) throws(StorageError) -> SecretKey? {
        guard id != 0 else { return nil }
        if let key = self[id] { return key }
        throw .noKey(
            """
            the secrets of this store are sealed under a key that \(place) does not have: give the keys that belong to it \
            (docs/running.md), or, if they are lost for good, throw the secrets away with: nephos secret reset
            """)
    }

    /// Looks where they are kept, whenever that was last.
    public func refresh() {
        guard let keys = again() else { return }
        state.withLock { $0.keys = keys }
    }

    private func look() -> [SecretKey] {
        let mayLook = state.withLock { state in
            guard ContinuousClock.now - state.lastLook > .seconds(1) else { return false }
            state.lastLook = ContinuousClock.now
            return true
        }
        if mayLook { refresh() }
        return state.withLock { $0.keys }
    }
}
