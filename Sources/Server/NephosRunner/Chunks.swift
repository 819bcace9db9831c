extension Array {
    /// The elements in order, in chunks of `count`: one transaction per chunk.
    package func chunks(of count: Int) -> some Swift.Sequence<ArraySlice<Element>> {
        stride(from: 0, to: self.count, by: count).lazy.map { self[$0...].prefix(count) }
    }
}
