import CloudKit
import Foundation
import NephosKit
import NephosTesting
import Testing

/// Programs of one user on several devices, where each command is a separate process (nephos-device), and a server that becomes
/// unavailable.
@Suite("Devices of one person stay in step through their private database (S0-1)") struct DeviceTests {
    let cloud: TestCloud
    let container: TestContainer

    init() throws {
        cloud = try TestCloud()
        container = try cloud.container()
    }

    @Test("After both change a note, the second merges into the server's record, and both devices have both changes")
    func conflict() throws {
        let (phone, laptop) = (try Device(container), try Device(container))
        try phone("edit", "list", "milk")
        try phone("push")
        try laptop("pull")
        #expect(try laptop.notes() == ["list=milk"])
        try phone("edit", "list", "bread")
        try laptop("edit", "list", "eggs")
        try phone("push")
        try laptop("push")
        try phone("pull")
        #expect(try laptop.notes() == ["list=bread+eggs"])
        #expect(try phone.notes() == ["list=bread+eggs"])
    }

    @Test("1,000 edits made offline are sent afterwards, although the server is restarted meanwhile")
    func offline() throws {
        let (phone, laptop) = (try Device(container), try Device(container))
        try phone("edit", "first", "online")
        try phone("push")
        _ = try cloud.server.stop()
        try phone("edit-many", "1000", "offline")
        let error = try phone("push", fails: true)
        #expect(error.hasPrefix("networkFailure retry(after: 1.0)"), "\(error)")
        try cloud.process.start()
        try phone("push")
        try laptop("pull")
        _ = try cloud.server.stop()
        try cloud.process.start()
        #expect(try laptop.notes().count == 1_001)
        #expect(try phone.notes() == laptop.notes())
        try laptop("edit", "note500", "after")
        try laptop("push")
        try phone("pull")
        #expect(try phone.notes().contains("note500=after"))
    }

    @Test("A zone that another device deleted is removed with its notes; the next push creates it again")
    func zoneDeleted() async throws {
        let (phone, laptop) = (try Device(container), try Device(container))
        try phone("edit", "a", "1")
        try phone("push")
        try laptop("pull")
        try await deleteZone()
        try laptop("pull")
        #expect(try laptop.notes().isEmpty)
        try phone("edit", "b", "2")
        try phone("push")
        try laptop("pull")
        #expect(try laptop.notes() == ["a=1", "b=2"], "what the phone had is sent again")
    }

    @Test("After a token expires everything is fetched again, and unsent changes stay")
    func tokenExpired() async throws {
        let (phone, laptop) = (try Device(container), try Device(container))
        for number in 0..<3 { try phone("edit", "n\(number)", "x") }
        try phone("push")
        try laptop("pull-zone")
        #expect(try laptop.notes().count == 3)
        try await deleteZone()
        try phone("edit", "n0", "new")
        try phone("push")
        try laptop("edit", "mine", "unsent")
        let output = try laptop("pull-zone")
        #expect(output.contains("the token has expired"))
        #expect(try laptop.notes() == ["mine=unsent", "n0=new", "n1=x", "n2=x"])
        try laptop("push")
        try phone("pull")
        #expect(try phone.notes() == laptop.notes())
    }

    /// As a third device would.
    private func deleteZone() async throws {
        let device = CKContainer(
            identifier: container.id,
            configuration: .init(
                serverURL: URL(string: "http://127.0.0.1:\(cloud.server.port)"), apiToken: container.apiToken,
                webAuthToken: try container.signIn("ada@example.org")))
        try await device.privateCloudDatabase.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Notes"))
    }
}
