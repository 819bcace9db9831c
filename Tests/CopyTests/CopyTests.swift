import CopyTesting
import NephosTesting
import Testing

/// docs/running.md, "Moving a store". `nephos-acceptance copy` is the long form.
@Suite struct CopyTests {
    @Test(
        "A copy accepts existing change tokens, sessions and files, although the copying was killed"
    )
    func moves() throws {
        let report = try CopyRun().run(from: TestEngine.chosen)
        #expect(report.faults == [], "\(report.lines)")
        #expect(report.lines.count == 2)
    }
}
