import NephosTesting
import Testing

/// docs/flags.md, "Notifications of changes": for any server on which a flag is saved.
@Suite("Flags on several servers", .serialized) struct FlagTests {
    @Test("A flag that is switched off at one server is off at another, whose stream announces it (S0-37)")
    func off() throws {
        let fleet = try Fleet(2)
        let command = fleet.servers[0].command
        try command("flag", "create", fleet.container, "tipJar", "--default", "true")
        let token = try command("token", "create", fleet.container)
        let flags = "/nephos/1/\(fleet.container)/development/flags"
        let all = flags + "/ofrep/v1/evaluate/flags"
        func ask(_ server: Int, tag: String? = nil) throws -> HTTPResponse {
            let headers =
                [HTTPHeader("Authorization", "Bearer \(token)")] + (tag.map { [HTTPHeader("If-None-Match", $0)] } ?? [])
            return try HTTPConnection(port: fleet.servers[server].port).exchange(
                HTTPRequest("POST", all, headers: headers, body: Array("{}".utf8)))
        }
        let first = try ask(0)
        #expect(try first.json["flags"][0]["value"] == true)
        // Equal responses of both have the same tag.
        #expect(try ask(1, tag: first["ETag"]).status == 304)
        let url = try #require(try first.json["eventStreams"][0]["url"].string)
        let target = try #require(url.firstRange(of: flags).map { String(url[$0.lowerBound...]) })
        let stream = try HTTPConnection(port: fleet.servers[1].port)
        try stream.send(HTTPRequest("GET", target, headers: [], body: nil))
        #expect(try stream.head().status == 200)
        try command("flag", "off", fleet.container, "tipJar")
        var text = ""
        while !text.contains("refetchEvaluation") {
            text += String(decoding: try #require(try stream.chunk()), as: UTF8.self)
        }
        let second = try ask(1)
        #expect(try second.json["flags"][0]["value"] == false)
        #expect(text.contains(second["ETag"]?.replacing("\"", with: "\\\"") ?? "no tag"))
    }
}
