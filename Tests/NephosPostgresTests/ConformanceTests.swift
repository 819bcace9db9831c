import StorageConformance
import Testing

/// Checked where ``BroadDay`` also looks at what is sent: beside many other records.
@Suite("The PostgreSQL engine fulfills the storage contract") struct ConformanceTests {
    @Test(arguments: StorageCase.all)
    func keeps(_ promise: StorageCase) async throws { try await BroadDay.day.value.expectKept(promise) }
}
