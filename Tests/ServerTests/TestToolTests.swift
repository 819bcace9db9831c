import NephosTesting
import ServerTesting
import Testing

/// Tests of the test tools: a flaw that they miss would be missed by every test of the server.
@Suite struct TestToolTests {
    @Test func jsonIsComparedExactly() throws {
        #expect(try JSON(parsing: "1") != JSON(parsing: "1.0"))
        #expect(try JSON(parsing: "9007199254740993") != JSON(parsing: "9007199254740992"))
        #expect(try JSON(parsing: #""\u00e9""#) != JSON(parsing: #""e\u0301""#))
        #expect(try JSON(parsing: #"{"a":1,"b":2}"#) == JSON(parsing: #"{"b":2,"a":1}"#))
        #expect(try JSON(parsing: #"{"a":1}"#) != JSON(parsing: #"{"a":1,"b":null}"#))
        #expect(try JSON(parsing: #"{"a":null}"#)["a"] == .null)
        #expect(try JSON(parsing: #"{"a":null}"#)["b"] == .absent)
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\":1,}", "01", "1.", ".5", "+1", "\"\u{1}\"", #""\ud800""#, #""\ud800\u0041""#, #""\x""#,
        "nul", "1 2", "{'a':1}", "{\"a\" 1}", "\u{FEFF}1", "NaN", "-",
    ])
    func whatIsNoJSONIsNotRead(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let value: JSON = [
            "text": "\" \\ / \n \u{0} é e\u{301} 🦄", "number": .int(.min), "list": [true, nil, [], [:], 0.1, -0.0],
        ]
        #expect(try JSON(reading: value.bytes) == value)
        #expect(value["list"][5] == .number("-0.0"))
    }

    @Test func aSeedReplaysItsNumbers() {
        var generator = SeededGenerator(seed: 0)
        #expect(generator.next() == 0xE220_A839_7B1D_CDAF, "the first number that the algorithm's authors give")
    }

    /// The check that ends the run of a test whose server writes a secret to disk (docs/security.md).
    @Test func aSecretThatWasGivenOutIsFoundWhereItStands() throws {
        let cloud = try TestCloud(inProcess: [:])
        let container = try cloud.container()
        let ada = try container.person("ada@example.org")
        let port = cloud.server.port
        let url = try ada.uploadURLs(field: "image")[0]
        let ticket = try #require(url.split(separator: "=", maxSplits: 1).last.map(String.init))
        for secret in [container.apiToken, ticket] {
            #expect(IssuedSecrets.leak(in: Array("path=/x?y=\(secret) status=200".utf8), port: port) == secret)
        }
        #expect(IssuedSecrets.leak(in: Array("path=/x status=200".utf8), port: port) == nil)
        #expect(IssuedSecrets.leak(in: Array(container.apiToken.utf8), port: port + 1) == nil)
        let folder = try TemporaryFolder(prefix: "nephos-leak")
        let (clean, leaking) = (folder.path + "/clean", folder.path + "/leaking")
        try writeFile(clean, [0, 1, 255, 10] + Array(container.apiToken.utf8.dropLast()))
        try writeFile(leaking, [0, 1, 255, 10] + Array(container.apiToken.utf8) + [0])
        #expect(try IssuedSecrets.leak(in: [clean], of: [ticket, container.apiToken]) == nil)
        let found = try IssuedSecrets.leak(in: [clean, leaking], of: [ticket, container.apiToken])
        #expect(found?.contains("leaking") == true && found?.contains(container.apiToken) == true)
    }
}
