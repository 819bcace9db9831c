import FollowTesting
import Testing

/// docs/decisions/0006: changes become notifications, and none are lost. `nephos-acceptance follow` is the long form.
@Suite struct FollowTests {
    @Test("Devices that fetch when notified end up with the server's data, despite cut connections and kills")
    func devicesFollowEachOther() throws {
        let report = try FollowRun().run()
        #expect(report.faults == [], "\(report.table)")
    }
}
