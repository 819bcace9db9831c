import RequestTesting

/// Methods, paths, credentials, and the pages of every server.
enum Paths {
    static var requests: [RecordedRequest] { methods + paths + tenants + credentials + pages }

    private static var methods: [RecordedRequest] {
        Endpoints.all.map { RecordedRequest("GET", .person, "private/\($0.path)") }
            + ["PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"].flatMap { method in
                ["private/records/query", "private/zones/list", "/device/1/\(SmallCloud.container)/development/aps"].map
                {
                    RecordedRequest(method, .app, $0)
                }
            }
            + ["/sign-in", "/nothing", "/healthz", "/asset/1/a/b/c"].map { RecordedRequest("OPTIONS", .stranger, $0) }
    }

    private static var paths: [RecordedRequest] {
        [
            "private", "private/", "private/records", "private/records/query/more", "private/records/Query",
            "Private/records/query", "private//records//query", "other/records/query", "records/query",
            "private/zones%2Flist", "private/zones/%6Cist", "private/../zones/list", "private/zones/list?a=b&c",
            "private/zones/%00", "private/zones/%zz", "private/./zones/list", "private/users/discover",
            "private/zones/list?ckAPIToken=", "private/zones/list?", "private/zones/list/", "private/aps",
            "/database/1", "/database/2/a/development/private/zones/list",
            "/device/1/a/development/private/tokens/create",
            "/device/1/\(SmallCloud.container)/development/tokens/create",
            "/device/1/\(SmallCloud.container)/development/zones/list", "/devices", "/nothing", "/nothing/at/all",
            "/database/1/\(SmallCloud.container)/development/private/zones/list?getCurrentSyncToken=true",
        ].map { RecordedRequest(.person, $0, #"{"apnsEnvironment":"production"}"#) }
    }

    private static var tenants: [RecordedRequest] {
        let container = SmallCloud.container
        return ["production", "staging", "Development", ""].map {
            RecordedRequest(.person, "/database/1/\(container)/\($0)/private/zones/list")
        }
            + [
                "iCloud.org.nephos.unknown", "x", "iCloud.org.nephos.Small", "%C3%A9",
                String(repeating: "a", count: 300),
            ]
            .flatMap { container in
                [SmallCloud.Caller.stranger, .person, .key].map {
                    RecordedRequest($0, "/database/1/\(container)/development/public/records/query")
                }
            }
    }

    private static var credentials: [RecordedRequest] {
        let (api, token) = ("ckAPIToken=$(apiToken)", "$(webAuthToken)")
        let none = String(repeating: "0", count: 64)
        return [
            "\(api)&ckWebAuthToken=\(token)", "\(api)&ckSession=\(token)", "\(api)&ckSession=x&ckWebAuthToken=\(token)",
            "\(api)&ckSession=\(token)&ckWebAuthToken=x", "\(api)&ckWebAuthToken=", "\(api)&ckWebAuthToken=\(token)A",
            "\(api)&ckWebAuthToken=A\(token)", "ckWebAuthToken=\(token)", "ckAPIToken=\(none)",
            "ckAPIToken=\(none)&ckWebAuthToken=\(token)", "ckAPIToken=x", "ckAPIToken=$(apiToken)0",
            "ckapitoken=$(apiToken)",
            "\(api)&clientId=a%20client&ckWebAuthToken=\(token)", "\(api)&clientId=%00&ckWebAuthToken=\(token)",
        ].map { RecordedRequest(.stranger, "private/users/caller?\($0)") } + [
            RecordedRequest(.person, "private/users/caller", headers: RecordedRequest.extras),
            RecordedRequest(.app, "private/users/caller", headers: RecordedRequest.extras),
            RecordedRequest(.stranger, "private/users/caller", headers: RecordedRequest.extras),
        ] + signatures
    }

    private static var signatures: [RecordedRequest] {
        let (date, id, signature) = (
            "X-Apple-CloudKit-Request-ISO8601Date", "X-Apple-CloudKit-Request-KeyID",
            "X-Apple-CloudKit-Request-SignatureV1"
        )
        return [
            (date, "2026-01-01T00:00:00Z"), (date, "2025-12-31T00:00:00Z"), (date, "yesterday"), (date, ""),
            (id, "0"), (id, String(repeating: "a", count: 64)), (signature, "AAAA"), (signature, "no base64"),
            (signature, ""),
        ].map { RecordedRequest(.key, "public/records/lookup", #"{"records":[]}"#, headers: [$0]) }
            + [RecordedRequest(.key, "public/users/caller?ckAPIToken=x&ckWebAuthToken=y")]
    }

    private static var pages: [RecordedRequest] {
        ["GET", "HEAD", "POST"].flatMap { method in
            [
                "/healthz", "/sign-in", "/sign-in?container=\(SmallCloud.container)", "/sign-in/", "/favicon.ico",
                "/healthz/",
            ]
            .map { RecordedRequest(method, .stranger, $0) }
        } + [RecordedRequest("POST", .stranger, "/metrics"), RecordedRequest("DELETE", .stranger, "/metrics")]
    }
}
