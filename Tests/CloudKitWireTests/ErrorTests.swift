import CloudKitWire
import Testing

/// docs/protocol.md, "Errors".
@Suite struct ErrorTests {
    static let statuses: [String: Int] = [
        "ACCESS_DENIED": 403, "ATOMIC_ERROR": 400, "AUTHENTICATION_FAILED": 401, "AUTHENTICATION_REQUIRED": 421,
        "BAD_REQUEST": 400, "CONFLICT": 409, "EXISTS": 409, "INTERNAL_ERROR": 500, "NOT_FOUND": 404,
        "QUOTA_EXCEEDED": 413, "THROTTLED": 429, "TRY_AGAIN_LATER": 503, "VALIDATING_REFERENCE_ERROR": 412,
        "ZONE_NOT_FOUND": 404,
    ]

    @Test(arguments: ServerErrorCode.allCases) func eachCodeHasItsStatus(code: ServerErrorCode) {
        #expect(code.httpStatus == Self.statuses[code.rawValue])
    }

    @Test func thereAreFourteenCodes() { #expect(ServerErrorCode.allCases.count == 14 && Self.statuses.count == 14) }

    @Test func anErrorWritesWhatIsSetAndNothingElse() {
        #expect(
            written { ErrorDictionary(.notFound, "Record not found", recordName: "X").write(to: &$0) }
                == #"{"recordName":"X","serverErrorCode":"NOT_FOUND","reason":"Record not found"}"#)
        let all = ErrorDictionary(
            .conflict, "a \"reason\"", uuid: "U", retryAfter: 3, redirectURL: "https://x/y", recordName: "r",
            zoneID: ZoneIDDictionary.encoded(zoneName: "Z", ownerRecordName: nil), subscriptionID: "s", ckErrorCode: 14,
            serverRecord: "{}".body)
        #expect(
            written { all.write(to: &$0) } == """
                {"recordName":"r","zoneID":{"zoneName":"Z","zoneType":"REGULAR_CUSTOM_ZONE"},"subscriptionID":"s","uuid":"U",\
                "serverErrorCode":"CONFLICT","reason":"a \\"reason\\"","retryAfter":3,"redirectURL":"https://x/y",\
                "ckErrorCode":14,"serverRecord":{}}
                """)
    }
}
