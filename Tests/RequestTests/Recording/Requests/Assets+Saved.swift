import RequestTesting

/// Files that are added to records, and late requests.
extension Assets {
    private static func file(_ upload: String, _ receipt: String = "") -> String {
        let value = "$(\(upload)/singleFile/"
        return
            #"{"fileChecksum":"\#(value)fileChecksum)","size":\#(value)size),"receipt":"\#(receipt)\#(value)receipt)"}"#
    }

    private static func save(
        _ database: String, _ name: String, _ fields: String, by caller: SmallCloud.Caller = .person,
        as answer: String? = nil
    ) -> RecordedRequest {
        Saves.modify(
            in: database, [Saves.operation("forceUpdate", name, Saves.thing, Saves.fields(fields))], by: caller,
            as: answer)
    }

    static var saved: [RecordedRequest] {
        [
            save("private", "a1", #""file":{"value":\#(file("hello"))}"#, as: "a1"),
            save("private", "a2", #""files":{"value":[\#(file("raw")),\#(file("put"))]}"#, as: "a2"),
            save("public", "a1", #""file":{"value":\#(file("shown")),"type":"ASSETID"}"#, as: "open"),
            save("public", "a3", #""file":{"value":\#(file("bykey"))}"#, by: .key),
            save("private", "a4", #""file":{"value":\#(file("theirs"))}"#),
            save("private", "a4", #""file":{"value":\#(file("theirs"))}"#, by: .friend),
            save("private", "a5", #""file":{"value":\#(file("hello", "A"))}"#),
            save("private", "a6", #""file":{"value":\#(file("shown"))}"#),
            save("private", "a1", #""file":{"value":{"fileChecksum":"$(hello/singleFile/fileChecksum)","size":5}}"#),
            save("private", "a7", #""file":{"value":{"fileChecksum":"$(hello/singleFile/fileChecksum)","size":5}}"#),
            save("private", "large", #""file":{"value":\#(file("large"))}"#, as: "large"),
            save("private", "a8", #""text":{"value":\#(file("hello"))}"#),
            RecordedRequest(
                .person, "private/records/lookup",
                #"{"records":[{"recordName":"a1"},{"recordName":"a2"}],"numbersAsStrings":true}"#),
            RecordedRequest(.app, "public/records/lookup", #"{"records":[{"recordName":"a1"},{"recordName":"a3"}]}"#),
        ]
    }

    static var late: [RecordedRequest] {
        let link = "$(a1/records/0/fields/file/value/downloadURL)"
        return [
            RecordedRequest("GET", .stranger, link, later: 4 * 60_000),
            RecordedRequest("GET", .stranger, link, later: 60_000),
            RecordedRequest("HEAD", .stranger, link), upload("offer", "in time"),
            RecordedRequest(.stranger, "$(offer/tokens/0/url)", "too late", later: 10 * 60_000),
            save("private", "a9", #""file":{"value":\#(file("hello"))}"#),
            RecordedRequest(
                .person, "private/records/modify",
                Endpoints.saving(
                    Saves.operation(
                        "forceUpdate", "a10", Saves.thing, Saves.fields(#""file":{"value":\#(file("hello"))}"#))),
                later: 23 * 3_600_000),
        ]
    }
}
