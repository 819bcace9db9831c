import RequestTesting

/// Other users' records, and invalid names.
extension Saves {
    static var rights: [RecordedRequest] {
        func note(_ kind: String, _ type: String = "Thing", _ name: String = "public-2") -> [String] {
            [operation(kind, name, #""recordType":"\#(type)""#, fields(#""text":{"value":"b"}"#))]
        }
        return [
            modify(in: "public", note("forceUpdate"), by: .friend),
            modify(in: "public", note("forceReplace"), by: .key),
            modify(in: "public", note("delete"), by: .friend),
            modify(in: "public", note("create"), by: .friend).with(RecordedRequest.extras),
            modify(in: "public", note("forceUpdate", "Diary", "diary"), by: .person),
            modify(in: "public", note("forceUpdate", "Diary", "diary"), by: .friend),
            modify(in: "public", note("create", "Diary", "diary"), by: .friend).with(RecordedRequest.extras),
            modify(in: "public", note("forceUpdate", "Diary", "dairy"), by: .friend),
            modify(in: "public", note("create", "Notice", "notice"), by: .person),
            modify(in: "public", note("create", "Ledger", "ledger"), by: .key),
            modify(in: "public", [operation("forceDelete", "notice")], by: .person),
            modify(in: "public", note("forceUpdate", "Users", "$(me/userRecordName)"), by: .person),
            modify(in: "public", note("forceUpdate", "Users", "$(friend/userRecordName)"), by: .person),
            modify(in: "public", note("create", "Users", "nobody"), by: .person),
            modify(in: "public", [operation("delete", "$(me/userRecordName)")], by: .person),
            modify(
                in: "public",
                [
                    operation(
                        "forceUpdate", "$(me/userRecordName)", #""recordType":"Users""#,
                        fields(#""roles":{"value":[1]}"#))
                ]),
        ]
    }

    static var names: [RecordedRequest] {
        let names = [
            "", "_under", "tab\\t", "é", "e\\u0301", "a/b ?&", String(repeating: "n", count: 255),
            String(repeating: "n", count: 256), "_defaultZone",
        ]
        let types = [
            "", "1a", "a-b", "_Type", "Ünicode", "cloudkit.share", String(repeating: "T", count: 256), "Fresh",
        ]
        return names.map { modify([operation("create", $0, thing)]) }
            + types.map { modify([operation("create", "typed-\($0.utf8.count)", #""recordType":"\#($0)""#)]) }
            + odd.map { modify([$0]) }
    }

    private static var odd: [String] {
        let note = #""recordType":"Note""#
        return [
            #"{"operationType":"create","record":{\#(thing)}}"#, #"{"operationType":"create","record":{}}"#,
            #"{"operationType":"forceUpdate","record":{\#(thing)}}"#, #"{"operationType":"create"}"#,
            #"{"record":{\#(thing)}}"#, #"{"operationType":"merge","record":{\#(thing)}}"#,
            operation("forceUpdate", "default-2", note), operation("create", "default-2", note),
            operation("delete", "default-5", note), operation("create", "short", thing, #""createShortGUID":true"#),
            operation("create", "system", thing, #""created":{"timestamp":1},"modified":{"userRecordName":"_a"}"#),
        ]
    }
}
