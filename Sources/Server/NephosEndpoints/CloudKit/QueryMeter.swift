package import NephosStorage

/// Callbacks for the cost of queries. By default they do nothing.
package struct QueryMeter: Sendable {
    /// Called with the work of a page.
    package var looked: @Sendable (ReadWork) -> Void
    /// Called when a query waits until its indexes are built.
    package var waits: @Sendable () -> Void
    /// Called at the end of a round of building.
    package var built: @Sendable (Result<Void, any Error>) -> Void
    /// Called with the work of a read on an event loop: one of queries, feeds or several records, completed or given up.
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
