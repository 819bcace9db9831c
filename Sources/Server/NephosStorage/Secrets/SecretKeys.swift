import Synchronization

/// The keys that this process has: those that it was given, and those that came since into the place where they are kept.
public final class SecretKeys: Sendable {
    private struct State {
        var keys: [SecretKey]
        /// nil before the first: a key may come into a file the moment after a process has read it.
        var lastLook: ContinuousClock.Instant?
    }

    private let state: Mutex<State>
    private let known = OpenedSecrets()
    /// For messages: the file or the variable that they came from.
    package let place: String
    /// Whether catalogs are read without their signing keys too, so that what a lost key leaves can be thrown away.
    package let acceptsLoss: Bool
    private let again: @Sendable () -> [SecretKey]?

    /// Keeps the keys that a process was given.
    ///
    /// - Parameters:
    ///   - keys: The newest first.
    ///   - place: For messages: the file or the variable that they came from.
    ///   - acceptsLoss: See ``acceptsLoss``.
    ///   - again: Looks where they are kept once more; nil where that cannot be read now. Asked for a key that is not
    ///     known, at most once a second.
    public init(
        _ keys: [SecretKey], from place: String, acceptsLoss: Bool = false,
        again: @escaping @Sendable () -> [SecretKey]? = { nil }
    ) {
        state = Mutex(State(keys: keys))
        self.place = place
        self.acceptsLoss = acceptsLoss
        self.again = again
    }

    /// The same keys for whoever throws away what a lost one leaves.
    package var acceptingLoss: SecretKeys {
        SecretKeys(state.withLock { $0.keys }, from: place, acceptsLoss: true, again: again)
    }

    /// Under which the next secrets are to be sealed; nil without any.
    public var newest: SecretKey? { state.withLock { $0.keys.first } }

    /// The key of an ID; nil when it is not known, after another look at where keys are kept.
    public subscript(_ id: Int64) -> SecretKey? {
        if let known = state.withLock({ $0.keys.first { $0.id == id } }) { return known }
        return look().first { $0.id == id }
    }

    /// What a stored value is in the clear; nil where nobody can open it there.
    func opened(_ stored: [UInt8], for place: [UInt8]) -> [UInt8]? {
        guard let id = SecretKey.id(of: stored) else { return nil }
        return known.bytes(stored, for: place) { self[id]?.open(stored, for: place) }
    }

    /// The key that a store names.
    ///
    /// - Parameter id: ``SecretKey/id``; 0 for a store in the clear.
    /// - Returns: nil for a store in the clear.
    /// - Throws: ``StorageError/noKey(_:)`` where this process lacks it.
    package func key(named id: Int64) throws(StorageError) -> SecretKey? {
        guard id != 0 else { return nil }
        if let key = self[id] { return key }
        throw missing
    }

    /// What is wrong where a key is missing that a store names.
    package var missing: StorageError {
        .noKey(
            """
            the secrets of this store are sealed under a key that \(place) does not have: give the keys that belong to it \
            (docs/running.md), or, if they are lost for good, throw the secrets away with: nephos secret reset
            """)
    }

    /// Looks where they are kept, whenever that was last.
    public func refresh() { state.withLock { read(into: &$0) } }

    /// Whoever meets an unknown key while another looks waits for what that finds.
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
