/// How much work it is to decide a request, in steps: no request holds the writers of its database for long.
///
/// To look at a reference, or at a record that was read, is one step; to have the store look something up, or answer
/// a row of a scan, counts as ten.
struct StepMeter {
    private static let ofTheStore = 10

    let max: Int
    private(set) var taken = 0

    init(max: Int) { self.max = max }

    var isSpent: Bool { taken > max }

    /// How many rows of the store may still be asked for, when half of what is left is kept for looking at them.
    var rowsLeft: Int { Swift.max(0, max - taken) / 2 / Self.ofTheStore }

    mutating func look(_ count: Int = 1) { taken += count }

    /// Takes rows or look-ups of the store into account.
    mutating func ask(_ count: Int = 1) { taken += count * Self.ofTheStore }
}
