import RequestTesting

/// Several operations, several zones, and other keys of a request.
extension Saves {
    static var batches: [RecordedRequest] {
        let (good, missing) = (
            operation("create", "batch", thing), operation("update", "none", thing, #""recordChangeTag":"1""#)
        )
        return ["true", "false"].flatMap { atomic in
            [
                modify(zone: "One", [good, missing], #""atomic":\#(atomic)"#),
                modify([good, missing], #""atomic":\#(atomic)"#),
            ]
        }
            + [
                modify(zone: "One", [good, missing]).with(RecordedRequest.extras),
                modify(in: "public", [good, missing]),
                modify(zone: "One", [operation("create", "twice", thing), operation("update", "twice", thing)]),
                modify(zone: "One", [operation("forceDelete", "custom-0"), operation("create", "custom-new", thing)]),
                modify([]), modify(in: "public", []),
                modify(zone: "One", (0..<200).map { operation("create", "many-\($0)", thing) }, #""desiredKeys":[]"#),
                modify(zone: "One", (0..<200).map { operation("delete", "many-\($0)") }),
            ]
    }

    /// One operation that fails beside one that would succeed, for each reason to fail.
    static var atomicFailures: [RecordedRequest] {
        let link = #""link":{"value":{"recordName":"none","action":"VALIDATE"}}"#
        let culprits = [
            operation("create", "custom-2", thing),
            operation("create", "failing", thing, fields(#""int":{"value":"x"}"#)),
            operation("create", "failing", thing, fields(link)), operation("create", "failing"),
            operation("create", "failing", thing, #""parent":{"recordName":"none"}"#), operation("delete", "none"),
            operation("update", "custom-2", thing, #""recordChangeTag":"1""#), operation("create", "_failing", thing),
        ]
        return culprits.map { modify(zone: "One", [operation("create", "kept", thing), $0]) }
            + [
                modify(zone: "One", [culprits[0], operation("delete", "custom-4"), culprits[1]]).with(
                    RecordedRequest.extras),
                RecordedRequest(
                    .person, "private/records/lookup",
                    #"{"zoneID":{"zoneName":"One"},"records":[{"recordName":"custom-4"}]}"#),
            ]
    }

    static var zones: [RecordedRequest] {
        func at(_ zone: String, _ name: String) -> String {
            operation("forceUpdate", name, thing, #""zoneID":{"zoneName":"\#(zone)"}"#)
        }
        return [
            modify(zone: "None", [operation("create", "a", thing)]), modify([at("None", "a"), at("One", "b")]),
            modify(zone: "Notes", [at("One", "c"), operation("create", "d", thing)]),
            modify([at("One", "e"), at("Notes", "e"), at("_defaultZone", "e")], #""atomic":true"#),
            modify([at("One", "f"), at("Notes", "f"), operation("update", "none", thing)]),
            modify(in: "public", zone: "One", [operation("create", "a", thing)]),
            modify(in: "shared", [operation("create", "a", thing)]),
            modify(in: "shared", zone: "One", [operation("create", "a", thing)]),
            modify(zone: "_bad", [operation("create", "a", thing)]),
        ]
    }

    static var options: [RecordedRequest] {
        let fields = fields(#""int":{"value":7},"text":{"value":"seven"},"double":{"value":7.0}"#)
        func one(_ name: String, _ members: String...) -> RecordedRequest {
            let list = #""operations":[\#(operation("forceUpdate", name, thing, fields))]"#
            return RecordedRequest(
                .person, "private/records/modify", "{" + (members + [list]).joined(separator: ",") + "}")
        }
        let own =
            #"{"operationType":"forceUpdate","numbersAsStrings":true,"desiredKeys":["int"],"record":{"recordName":"own",\#(thing),\#(fields)}}"#
        return [
            one("o1", #""numbersAsStrings":true"#), one("o2", #""desiredKeys":["int","none"]"#),
            one("o3", #""desiredKeys":[]"#),
            one("o4", #""desiredKeys":["createdTimestamp"]"#), modify([own, operation("forceUpdate", "o1")]),
            one("o5", #""clientChangeToken":"AQ==""#), one("o6", #""clientChangeToken":"no base64""#),
            modify(zone: "One", [operation("forceUpdate", "o7", thing)], #""clientChangeToken":"AgM=""#),
            modify(zone: "One", [operation("update", "none", thing)], #""clientChangeToken":"BA==""#),
            RecordedRequest(.person, "private/records/modify?getCurrentSyncToken=true", Endpoints.saving(own)),
            RecordedRequest(
                .person, "private/records/modify?getCurrentSyncToken=true",
                Endpoints.saving([operation("forceUpdate", "o8", thing)], #""zoneID":{"zoneName":"One"}"#)),
            one("o9", #""unknown":[1]"#),
        ]
    }
}
