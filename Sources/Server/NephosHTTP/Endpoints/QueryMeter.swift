/// Whom queries tell what they cost. By default nobody.
package struct QueryMeter: Sendable {
    /// A page looked at so many rows.
    package var examined: @Sendable (Int) -> Void
    /// A query waits until its indexes are built.
    package var waits: @Sendable () -> Void
    /// A round of building ended.
    package var built: @Sendable (Result<Void, any Error>) -> Void

    package init(
        examined: @escaping @Sendable (Int) -> Void = { _ in }, waits: @escaping @Sendable () -> Void = {},
        built: @escaping @Sendable (Result<Void, any Error>) -> Void = { _ in }
    ) {
        self.examined = examined
        self.waits = waits
        self.built = built
    }
}
