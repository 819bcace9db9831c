extension Array {
    /// Its elements in order, so many at a time: what one transaction each takes in.
    package func chunks(of count: Int) -> some Swift.Sequence<ArraySlice<Element>> {
        stride(from: 0, to: self.count, by: count).lazy.map { self[$0...].prefix(count) }
    }
}
