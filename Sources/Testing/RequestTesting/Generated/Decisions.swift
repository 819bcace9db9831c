/// Bytes as the decisions of a generator: each decides one thing, so that changing some of them changes a part of what is generated.
/// When they are used up, every decision is the first possibility.
package struct Decisions: Sendable {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: some Collection<UInt8>) { rest = Array(bytes)[...] }

    /// A number from 0 to one less than a count of at least 1.
    mutating func below(_ count: Int) -> Int {
        guard count > 1 else { return 0 }
        var number = 0
        for _ in 0..<(count <= 256 ? 1 : 4) { number = number << 8 | Int(rest.popFirst() ?? 0) }
        return number % count
    }

    mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(below(Int(range.upperBound - range.lowerBound + 1)))
    }

    /// Happens once in so many times, and never when the bytes are used up.
    mutating func happens(oneIn count: Int) -> Bool { below(count) == count - 1 }

    /// - Parameter all: At least one.
    mutating func one<Element>(of all: [Element]) -> Element { all[below(all.count)] }

    /// Some of these, in their order.
    mutating func some<Element>(of all: [Element]) -> [Element] {
        all.filter { _ in happens(oneIn: 2) }
    }

    mutating func list<Element>(_ counts: ClosedRange<Int>, _ element: (inout Decisions) -> Element) -> [Element] {
        (0..<(counts.lowerBound + below(counts.count))).map { _ in element(&self) }
    }
}
