import Testing

@testable import NephosAdmin

@Suite("The order in which deleted records are restored") struct RestorationOrderTests {
    @Test("Each record follows those it needs, and records that need each other are restored together") func groups() {
        // 0 needs 1 and 2, 1 needs 3, 2 and 3 need each other, 4 needs itself and 0, 5 needs none.
        let groups = RestorationOrder.groups([[1, 2], [3], [3], [2], [4, 0], []])
        #expect(groups.map(Set.init).contains([2, 3]))
        #expect(Set(groups.joined()) == Set(0...5) && groups.count == 5)
        func place(_ record: Int) -> Int { groups.firstIndex { $0.contains(record) } ?? -1 }
        #expect(place(3) < place(1) && place(1) < place(0) && place(2) < place(0) && place(0) < place(4))
    }

    @Test("A chain of a hundred thousand is ordered without recursion") func deep() {
        let count = 100_000
        let groups = RestorationOrder.groups((0..<count).map { $0 + 1 < count ? [$0 + 1] : [] })
        #expect(groups.map { $0[0] } == (0..<count).reversed())
    }
}
