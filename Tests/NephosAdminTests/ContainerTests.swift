import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage
import Testing

@Suite("Containers") struct ContainerTests {
    @Test(arguments: [
        "iCloud.com.example.app", "a", "A-b_c.9", String(repeating: "x", count: 255),
    ])
    func anIDOfLettersDigitsDotsHyphensAndUnderscoresIsAccepted(id: String) throws {
        let fixture = try AdminFixture()
        try fixture.admin.createContainer(id)
        #expect(try fixture.admin.containers() == [id])
    }

    @Test(arguments: [
        "", ".hidden", "..", "a/b", "../up", "a b", "iCloud.é", "a\u{0}b", "a\n", "a:b", "%2e", "🙂",
        String(repeating: "x", count: 256),
    ])
    func anyOtherIDIsRefusedAndNothingIsMade(id: String) throws {
        let fixture = try AdminFixture()
        #expect { try fixture.admin.createContainer(id) } throws: { error in
            guard case AdminError.invalid(let wrong) = error else { return false }
            return wrong.what == "container id" && wrong.value == id
        }
        #expect(try fixture.admin.containers().isEmpty)
    }

    @Test("A new container has both environments, each with its own key and with CloudKit's three roles (S0-17)")
    func aNewContainerHasBothEnvironmentsEachWithItsOwnKeyAndTheBuiltInRoles() throws {
        let fixture = try AdminFixture.withContainer()
        var signingKeys: Set<[UInt8]> = []
        for tenant in [AdminFixture.development, AdminFixture.production] {
            let catalog = try #require(try fixture.engine.open(tenant)).read(ReadSet()).catalog
            #expect(Set(catalog.roles.keys) == ["_world", "_icloud", "_creator"])
            #expect(catalog.head.tenant == tenant)
            signingKeys.insert(catalog.head.signingKey)
        }
        #expect(signingKeys.count == 2)
    }

    @Test func aSecondContainerOfTheSameIDIsRefused() throws {
        let fixture = try AdminFixture.withContainer()
        #expect(throws: AdminError.containerExists(AdminFixture.container)) {
            try fixture.admin.createContainer(AdminFixture.container)
        }
    }

    @Test func containersAreListedInByteOrder() throws {
        let fixture = try AdminFixture()
        for id in ["b", "a.b", "B", "a-b"] { try fixture.admin.createContainer(id) }
        #expect(try fixture.admin.containers() == ["B", "a-b", "a.b", "b"])
    }

    @Test func aDeletedContainerIsGoneAndAnotherOfItsIDBeginsEmpty() async throws {
        let fixture = try AdminFixture.withContainer()
        let token = try await fixture.admin.createAPIToken(in: AdminFixture.development)

        try fixture.admin.deleteContainerAndEverythingInIt(AdminFixture.container)
        #expect(try fixture.admin.containers().isEmpty)
        await #expect(throws: AdminError.noContainer(AdminFixture.container)) {
            try await fixture.admin.createAPIToken(in: AdminFixture.development)
        }

        try fixture.admin.createContainer(AdminFixture.container)
        #expect(throws: (any Error).self) { try fixture.caller(.apiToken(token)) }
    }

    @Test func whatIsNotThereCannotBeDeleted() throws {
        let fixture = try AdminFixture()
        #expect(throws: AdminError.noContainer("iCloud.nobody")) {
            try fixture.admin.deleteContainerAndEverythingInIt("iCloud.nobody")
        }
    }
}
