import NephosTesting
import Testing

extension ServerTests {
    /// docs/running.md, "Health, metrics and logs".
    @Suite struct ExpositionTests {
        @Test("Each metric has a HELP and a TYPE line, including those of features") func described() throws {
            let container = try freshContainer()
            let ada = try container.person("ada@example.org")
            let record: JSON = ["recordName": "a", "recordType": "Note", "fields": [:]]
            _ = try ada.modify([["operationType": "create", "record": record]], zone: nil)
            let answer = try HTTPConnection(port: container.cloud.server.port).exchange(HTTPRequest("GET", "/metrics"))
            let exposition = Exposition(answer.text)
            #expect(exposition.faults == [])
            #expect(
                exposition.families.isSuperset(of: ["nephos_devices_waiting", "nephos_jobs_total"]))
        }

        @Test("A missing HELP or TYPE line is detected") func faults() {
            #expect(Exposition("# HELP a A.\n# TYPE a counter\na{b=\"c d\"} 1\n").faults == [])
            #expect(Exposition("# TYPE a counter\na 1\n").faults == ["a 1: no HELP"])
            #expect(Exposition("# HELP a A.\na 1\n").faults == ["a 1: no TYPE"])
            #expect(
                Exposition("# HELP a A.\n# TYPE a histogram\na_count 1\nb 2\n").faults == [
                    "b 2: no HELP", "b 2: no TYPE",
                ])
        }
    }
}
