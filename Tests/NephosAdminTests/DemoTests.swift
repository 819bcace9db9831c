import CloudKitWire
import NephosAdmin
import NephosRunner
import NephosStorage
import NephosTesting
import Testing

@Suite("The demo") struct DemoTests {
    let fixture: AdminFixture

    init() throws { fixture = try AdminFixture() }

    @Test func theDemoIsMadeOnceAndItsSecretsStay() async throws {
        let demo = try await fixture.admin.demo(reusing: nil)
        #expect(try await fixture.person(demo.webAuthToken, in: Demo.tenant) != nil)
        #expect(try await fixture.admin.demo(reusing: demo) == demo)
        #expect(try fixture.admin.containers() == [Demo.tenant.container])
    }

    @Test func typesThatASaveMakesInTheDemoMayBeListed() async throws {
        _ = try await fixture.admin.demo(reusing: nil)
        for (environment, names) in [(Environment.development, ["___recordID"]), (.production, [])] {
            let tenant = Tenant(container: Demo.tenant.container, environment: environment)
            let catalog = try #require(try fixture.engine.open(tenant)).read(ReadSet()).catalog
            #expect(catalog.fieldsOfNewTypes.map(\.name.text) == names)
        }
    }

    @Test func secretsThatAreGoodNoLongerAreMadeAnew() async throws {
        let demo = try await fixture.admin.demo(reusing: nil)
        fixture.clock.advance(by: SessionRow.Kind.fixed.length - 3_600_000)
        let next = try await fixture.admin.demo(reusing: demo)
        #expect(next.apiToken == demo.apiToken)
        #expect(next.webAuthToken != demo.webAuthToken, "it would expire within the day")

        try fixture.admin.deleteContainerAndEverythingInIt(Demo.tenant.container)
        let anew = try await fixture.admin.demo(reusing: next)
        #expect(anew.apiToken != next.apiToken)
        #expect(anew.webAuthToken != next.webAuthToken)
        #expect(try await fixture.person(anew.webAuthToken, in: Demo.tenant) != nil)
    }

    @Test func secretsOfSomethingElseAreNotReused() async throws {
        let strange = Demo(apiToken: "0000", webAuthToken: "AAAA")
        let demo = try await fixture.admin.demo(reusing: strange)
        #expect(demo.apiToken != strange.apiToken)
        #expect(demo.webAuthToken != strange.webAuthToken)
    }
}
