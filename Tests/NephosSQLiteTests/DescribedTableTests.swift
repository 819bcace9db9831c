import StorageConformance
import Testing

/// docs/decisions/0020
@Suite("Tables that are described") struct DescribedTableTests {
    @Test(arguments: TableCase.all)
    func keeps(_ promise: TableCase) async throws { try await promise.check(try Tables(TableCase.tables)) }
}
