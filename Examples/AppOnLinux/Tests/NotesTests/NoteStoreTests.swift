import CloudKit
import Notes
import Testing

@Suite("Notes, against a server") struct NoteStoreTests {
    private let store = NoteStore(container: TestServer.container)

    @Test("A note that was added is listed until it is removed")
    func roundTrip() async throws {
        let text = "Buy milk \(UUID())"
        let id = try await store.add(text)
        #expect(try await store.texts().contains(text))
        try await store.remove(id)
        #expect(try await !store.texts().contains(text))
    }

    @Test("A note that does not exist cannot be read")
    func missing() async throws {
        let error = await #expect(throws: CKError.self) {
            try await TestServer.container.privateCloudDatabase.record(for: CKRecord.ID(recordName: "no such note"))
        }
        #expect(error?.code == .unknownItem)
    }
}
