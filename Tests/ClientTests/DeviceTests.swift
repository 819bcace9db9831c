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

    @Test(
        "A program killed in the middle of a page goes on from its last saved token: nothing is lost or repeated (S1-43)"
    )
    func killed() throws {
        let laptop = try Device(container)
        let names = (0..<10).map { "note\($0)" }
        try laptop("edit-many", "10", "x")
        try laptop("push")
        func lines(_ names: some Sequence<String>) -> [String] { names.map { "got \($0)" } }
        func rest(_ phone: Device) throws -> [String] {
            try phone("follow", "3").split(separator: "\n").map(String.init)
        }
        // At each record of each page of three.
        for last in 1...10 {
            let phone = try Device(container)
            #expect(try phone.killed("follow", "3", "\(last)") == lines(names.prefix(last)))
            let finished = (last - 1) / 3 * 3
            #expect(try phone.notes() == names.prefix(finished).map { "\($0)=x" })
            #expect(try rest(phone) == lines(names.dropFirst(finished)), "killed after \(last)")
            #expect(try phone.notes() == laptop.notes())
            #expect(try rest(phone) == [])
        }
        // In each page but the last.
        let often = try Device(container)
        for page in 0..<3 {
            let got = try often.killed("follow", "3", "4")
            #expect(got == lines(names.dropFirst(page * 3).prefix(4)), "page \(page)")
        }
        #expect(try rest(often) == lines(["note9"]) && often.notes() == laptop.notes())
        // Others write meanwhile, in a page that is finished and after the last.
        let phone = try Device(container)
        _ = try phone.killed("follow", "3", "5")
        try laptop("edit", "note1", "new")
        try laptop("push")
        try laptop("edit", "other", "x")
        try laptop("push")
        #expect(try rest(phone) == lines(names.dropFirst(3) + ["note1", "other"]))
        #expect(try phone.notes() == laptop.notes())
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
