/// Orders records so that each follows those that it needs.
enum RestorationOrder {
    /// The records in groups: those in one group need each other, and are restored together or not at all. (Tarjan's strongly
    /// connected components, which are produced in this order, without recursion.)
    ///
    /// - Parameter needs: For each record, the others that it needs.
    static func groups(_ needs: [[Int]]) -> [[Int]] {
        var groups: [[Int]] = []
        var order = [Int](repeating: -1, count: needs.count)
        var lowest = order
        var isOpen = [Bool](repeating: false, count: needs.count)
        var open: [Int] = []
        var found = 0
        for start in needs.indices where order[start] < 0 {
            var path = [(record: start, next: 0)]
            while let (record, next) = path.last {
                if order[record] < 0 {
                    (order[record], lowest[record]) = (found, found)
                    found += 1
                    open.append(record)
                    isOpen[record] = true
                }
                if next < needs[record].count {
                    path[path.count - 1].next += 1
                    let needed = needs[record][next]
                    if order[needed] < 0 {
                        path.append((needed, 0))
                    } else if isOpen[needed] {
                        lowest[record] = min(lowest[record], order[needed])
                    }
                    continue
                }
                path.removeLast()
                if let before = path.last?.record { lowest[before] = min(lowest[before], lowest[record]) }
                guard lowest[record] == order[record], let first = open.lastIndex(of: record) else { continue }
                groups.append(Array(open[first...]))
                for member in open[first...] { isOpen[member] = false }
                open.removeSubrange(first...)
            }
        }
        return groups
    }
}
