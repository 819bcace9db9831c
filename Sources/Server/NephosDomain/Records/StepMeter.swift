/// The cost of deciding a request, in steps: no request blocks the writers of its database for long.
///
/// Examining a reference, or a record that was read, is one step; a look-up in the store, or a row of a scan, counts as ten.
struct StepMeter {
    private static let ofTheStore = 10

    let max: Int
    private(set) var taken = 0

    init(max: Int) { self.max = max }

    var isSpent: Bool { taken > max }

    /// How many rows may still be read from the store, if half of the rest is reserved for examining them.
    var rowsLeft: Int { Swift.max(0, max - taken) / 2 / Self.ofTheStore }

    mutating func look(_ count: Int = 1) { taken += count }

    /// Counts rows or look-ups of the store.
    mutating func ask(_ count: Int = 1) { taken += count * Self.ofTheStore }
}
