import FollowTesting
import Testing

/// docs/decisions/0006: changes become notifications, and none are lost. `nephos-acceptance follow` is the long form.
@Suite struct FollowTests {
    @Test("Devices that fetch when they are told have in the end what the server has, whatever is cut and killed")
    func devicesFollowEachOther() throws {
        let report = try FollowRun().run()
        #expect(report.faults == [], "\(report.table)")
    }
}
