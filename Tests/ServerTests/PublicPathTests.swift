import NephosTesting
import Testing

extension SocketTests {
    /// docs/operating.md, "Below a path": a proxy passes on requests with the path of the public URL, or without it.
    @Suite struct PublicPathTests {
        private static let site = "http://127.0.0.1:9"
        private static let base = "/nephos"

        private let cloud: TestCloud
        private let container: TestContainer

        init() throws {
            cloud = try TestCloud(["--public-url", "\(Self.site)\(Self.base)/"])
            container = try cloud.container()
        }

        /// The target of a URL, as a proxy passes it on that keeps the path, or removes it.
        private func target(_ url: String, keeping: Bool) throws -> String {
            try #require(url.hasPrefix("\(Self.site)\(Self.base)/"), "\(url)")
            return (keeping ? Self.base : "") + url.dropFirst(Self.site.utf8.count + Self.base.utf8.count)
        }

        @Test(
            "Records and files are saved and loaded, by URLs of responses that begin with the public URL",
            arguments: [true, false])
        func files(keeping: Bool) throws {
            let ada = try container.person("ada@example.org")
            let prefix = keeping ? Self.base : ""
            func post(_ path: String, _ body: JSON) throws -> JSON {
                let response = try ada.send("POST", prefix + ada.path(path, .private), body: body.bytes)
                #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
                return try response.json
            }
            func load(_ method: String, _ url: String, _ body: [UInt8]? = nil) throws -> HTTPResponse {
                try ada.open().exchange(HTTPRequest(method, try target(url, keeping: keeping), body: body))
            }
            let offer = try post("assets/upload", ["tokens": [["fieldName": "picture"]]])
            let url = try #require(offer["tokens"][0]["url"].string)
            let file = try load("POST", url, Array("hello".utf8)).json["singleFile"]
            #expect(file["size"] == 5, "\(file)")
            let create = operation("create", "A", fields: ["picture": ["value": file]])
            let saved = try post("records/modify", ["operations": [create]])["records"][0]
            let download = try #require(saved["fields"]["picture"]["value"]["downloadURL"].string)
            let loaded = try load("GET", download.replacing("${f}", with: "a-private-name.txt"))
            #expect(loaded.status == 200 && loaded.body == Array("hello".utf8))
            #expect(!cloud.server.logText.contains("a-private-name"))
            let device = try post("tokens/create", ["apnsEnvironment": "development"])
            let courier = try #require(device["webcourierURL"].string)
            #expect(try target(courier, keeping: true).hasPrefix("/nephos/device/1/"))
        }

        // K2
        @Test(
            "A signature covers the path of a request, with the path of the public URL or without it",
            arguments: [true, false])
        func signatures(keeping: Bool) throws {
            let signer = try container.key()
            let client = container.client(.none)
            let path = client.path("records/lookup", .public)
            let body = Array(#"{"records":[]}"#.utf8)
            func status(signing: String) throws -> Int {
                let headers = try signer.headers(target: signing, body: body)
                let sent = (keeping ? Self.base : "") + path
                return try client.open().exchange(HTTPRequest("POST", sent, headers: headers, body: body)).status
            }
            #expect(try status(signing: path) == 200)
            #expect(try status(signing: Self.base + path) == 200)
            #expect(try status(signing: "/other\(path)") == 401)
            #expect(try status(signing: Self.base + Self.base + path) == 401)
        }

        @Test("People sign in below the path") func signIn() throws {
            let app = container.app
            let response = try app.send("GET", Self.base + app.path("users/current", .public), body: nil)
            #expect(response.status == 421)
            // On this machine, at localhost.
            let url = try #require(try response.json["redirectURL"].string)
            #expect(url.hasPrefix("http://localhost:9/nephos/sign-in?"), "\(url)")
        }
    }
}
