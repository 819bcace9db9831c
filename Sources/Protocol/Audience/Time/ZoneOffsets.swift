/// By how much the clocks of a time zone are ahead of UTC: the changes of the past, and the rule of the future.
struct ZoneOffsets: Sendable {
    /// When clocks were changed, in seconds since 1970, ascending.
    let changes: [Int64]
    /// In seconds, from each change on.
    let offsets: [Int64]
    /// Before the first change.
    let first: Int64
    /// From the last change on; nil if the last offset stays.
    let rule: ZoneRule?

    /// - Parameter second: Since 1970.
    func seconds(at second: Int64) -> Int64 {
        guard let last = changes.last, second < last else {
            return rule?.seconds(at: second) ?? offsets.last ?? first
        }
        // The number of changes until then.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }
}
