import RequestTesting

/// Records by name.
enum LookUps {
    static var requests: [RecordedRequest] {
        bodies.map { RecordedRequest(.person, "private/records/lookup", $0) }
            + zones.map {
                RecordedRequest(
                    .person, "private/records/lookup", #"{"zoneID":\#($0),"records":[{"recordName":"c9"}]}"#)
            }
            + [SmallCloud.Caller.app, .person, .friend, .key].flatMap { caller in
                [
                    RecordedRequest(caller, "public/records/lookup", published),
                    RecordedRequest(caller, "public/records/lookup", published, headers: RecordedRequest.extras),
                ]
            }
            + [
                RecordedRequest(.friend, "private/records/lookup", bodies[0]),
                RecordedRequest(.person, "private/records/lookup?getCurrentSyncToken=true", bodies[0]),
                RecordedRequest(
                    .person, "private/records/lookup?getCurrentSyncToken=true",
                    #"{"zoneID":{"zoneName":"One"},"records":[]}"#),
            ]
    }

    private static let published = #"""
        {"records":[{"recordName":"public-2"},{"recordName":"diary"},{"recordName":"d1"},{"recordName":"none"},\#
        {"recordName":"$(me/userRecordName)"}]}
        """#

    private static let bodies = [
        #"{"records":[{"recordName":"f26"},{"recordName":"none"},{"recordName":"f26"}]}"#, #"{"records":[]}"#,
        #"{"records":[{"recordName":"f20"}],"numbersAsStrings":true}"#,
        #"{"records":[{"recordName":"f26"}],"numbersAsStrings":true}"#,
        #"{"records":[{"recordName":"o1"},{"recordName":"o2","desiredKeys":["text"]}],"desiredKeys":["int"]}"#,
        #"{"records":[{"recordName":"o1"}],"desiredKeys":[]}"#,
        #"{"records":[{"recordName":"o1","desiredKeys":null}],"desiredKeys":["x"]}"#,
        #"{"records":[{"recordName":""}]}"#, #"{"records":[{"recordName":"_x"}]}"#, #"{"records":[{}]}"#,
        #"{"records":["o1"]}"#,
        #"{"records":[{"recordName":"h1"},{"recordName":"h2"}]}"#, #"{"records":[{"recordName":"u1"}]}"#,
        #"{"records":[{"recordName":"o1","recordType":"Note"}]}"#,
        #"{"records":[{"recordName":"o1"}],"numbersAsStrings":"yes"}"#,
    ]

    private static let zones = [
        #"{"zoneName":"One"}"#, #"{"zoneName":"None"}"#, #"{"zoneName":"_defaultZone"}"#, #"{"zoneName":"_x"}"#, "null",
        "{}",
    ]
}
