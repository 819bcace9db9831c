import RequestTesting

/// Devices, and their notifications.
extension Notifications {
    static var devices: [RecordedRequest] {
        let phone = Endpoints.phone
        let bodies = [
            #"{"apnsEnvironment":"development","apnsToken":"\#(phone)","clientId":"a client"}"#,
            #"{"apnsEnvironment":"production","apnsToken":"\#(phone.uppercased())"}"#, #"{"apnsEnvironment":"other"}"#,
            #"{"apnsEnvironment":"development","apnsToken":"00ff"}"#,
            #"{"apnsEnvironment":"development","apnsToken":"x"}"#,
            #"{"apnsEnvironment":"development","apnsToken":"$(device/apnsToken)","clientId":"mine"}"#,
            #"{"apnsEnvironment":"development","apnsToken":"$(device/apnsToken)A"}"#,
            #"{"apnsEnvironment":"development","apnsToken":"\#(phone)","clientId":"\#(String(repeating: "c", count: 256))"}"#,
        ]
        let create = #"{"apnsEnvironment":"development"}"#
        return [
            RecordedRequest(
                .person, "/device/1/\(SmallCloud.container)/development/tokens/create?clientId=mine", create,
                as: "device"),
            RecordedRequest(
                .friend, "tokens/create", #"{"apnsEnvironment":"production","clientId":"theirs"}"#, as: "other"),
            RecordedRequest(.key, "/device/1/\(SmallCloud.container)/development/tokens/create", create, as: "machine"),
            RecordedRequest(.app, "tokens/create", create),
        ] + bodies.map { RecordedRequest(.person, "/device/1/\(SmallCloud.container)/development/tokens/register", $0) }
    }

    private static func poll(_ device: String, _ ending: RecordedRequest.Ending = .answer) -> RecordedRequest {
        RecordedRequest("GET", .stranger, "$(\(device)/webcourierURL)", ending: ending)
    }

    private static func save(_ name: String, _ kind: String = "forceUpdate", _ value: Int = 1, zone: String? = nil)
        -> RecordedRequest
    {
        let fields = #""int":{"value":\#(value)},"text":{"value":"told"},"hidden":{"value":"h"},"double":{"value":0.5}"#
        return Saves.modify(zone: zone, [Saves.operation(kind, name, Saves.thing, Saves.fields(fields))])
    }

    static var told: [RecordedRequest] {
        let published = Saves.operation("forceUpdate", "told", Saves.thing, Saves.fields(#""int":{"value":1}"#))
        func publish(_ query: String = "") -> RecordedRequest {
            RecordedRequest(.person, "public/records/modify\(query)", Endpoints.saving(published))
        }
        return [
            poll("device", .nothing), save("t1"), poll("device"), poll("device"), poll("device"),
            poll("device", .nothing),
            save("t1", "forceUpdate", 1), poll("device"), poll("device"), poll("device"), poll("device", .nothing),
            RecordedRequest(.person, "private/subscriptions/list"),
            save("t2", "create", zone: "Followed"), poll("device"), poll("device"), poll("device"), poll("device"),
            poll("device", .nothing), save("t1", "delete"), poll("device"), poll("device"), poll("device", .nothing),
            publish("?clientId=mine"), poll("device", .nothing), poll("other"), poll("machine"), publish(),
            poll("device"), poll("other"),
            poll("machine"), poll("machine", .nothing), poll("device", .nothing),
            RecordedRequest(.person, "public/subscriptions/list"),
        ]
    }

    static var streams: [RecordedRequest] {
        let stream = [(name: "Accept", value: "text/event-stream")]
        return [
            RecordedRequest("GET", .stranger, "$(other/webcourierURL)", headers: stream, ending: .events(1)),
            RecordedRequest(
                "GET", .stranger, "$(other/webcourierURL)&lastEventId=x", headers: stream, ending: .events(1)),
            Saves.modify(in: "public", [Saves.operation("forceDelete", "told")]),
            RecordedRequest("GET", .stranger, "$(other/webcourierURL)", headers: stream, ending: .events(2)),
            RecordedRequest("HEAD", .stranger, "$(other/webcourierURL)", headers: stream),
            poll("other", .nothing), poll("device"), poll("machine"),
        ]
    }

    static var courier: [RecordedRequest] {
        let path = "/device/1/\(SmallCloud.container)/development/aps"
        return ["", "?tok=", "?tok=AAAA", "?tok=$(device/apnsToken)A", "?ttl=1"].flatMap {
            [RecordedRequest("GET", .stranger, path + $0), RecordedRequest("POST", .person, path + $0)]
        } + [
            RecordedRequest("GET", .stranger, "\(path)?tok=AAAA", headers: RecordedRequest.extras),
            RecordedRequest("GET", .stranger, "/device/1/iCloud.org.nephos.unknown/development/aps?tok=AAAA"),
            RecordedRequest("PUT", .stranger, path),
            RecordedRequest("GET", .stranger, "$(device/webcourierURL)", later: 25 * 3_600_000, ending: .nothing),
        ]
    }
}
