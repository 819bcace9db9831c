import CopyTesting
import NephosTesting
import Testing

/// docs/running.md, "Moving a store". `nephos-acceptance copy` is the long form.
@Suite struct CopyTests {
    @Test(
        "People go on in a copy with the change tokens, sessions and files that they have, though what copied was killed"
    )
    func moves() throws {
        let report = try CopyRun().run(from: TestEngine.chosen)
        #expect(report.faults == [], "\(report.lines)")
        #expect(report.lines.count == 2)
    }
}
