package import NephosStorage

/// Whom queries tell what they cost. By default nobody.
package struct QueryMeter: Sendable {
    /// A page took this.
    package var looked: @Sendable (ReadWork) -> Void
    /// A query waits until its indexes are built.
    package var waits: @Sendable () -> Void
    /// A round of building ended.
    package var built: @Sendable (Result<Void, any Error>) -> Void
    /// A read took this on an event loop: one of queries, feeds or several records, given up then or not.
    package var brief: (@Sendable (ReadWork) -> Void)?

    package init(
        looked: @escaping @Sendable (ReadWork) -> Void = { _ in }, waits: @escaping @Sendable () -> Void = {},
        built: @escaping @Sendable (Result<Void, any Error>) -> Void = { _ in }
    ) {
        self.looked = looked
        self.waits = waits
        self.built = built
    }
}
