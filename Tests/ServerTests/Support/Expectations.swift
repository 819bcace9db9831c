import NephosTesting
import Testing

/// The codes that clients with a closed list know (docs/protocol.md, E2).
let documentedCodes: [String: Int] = [
    "ACCESS_DENIED": 403, "ATOMIC_ERROR": 400, "AUTHENTICATION_FAILED": 401, "AUTHENTICATION_REQUIRED": 421,
    "BAD_REQUEST": 400, "CONFLICT": 409, "EXISTS": 409, "INTERNAL_ERROR": 500, "NOT_FOUND": 404,
    "QUOTA_EXCEEDED": 413, "THROTTLED": 429, "TRY_AGAIN_LATER": 503, "VALIDATING_REFERENCE_ERROR": 412,
    "ZONE_NOT_FOUND": 404,
]

/// Expects 200 with what every response has, and returns the body.
@discardableResult
func expectSuccess(
    _ response: HTTPResponse, sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSON {
    expectCommonHeaders(response, sourceLocation)
    let text = String(decoding: response.body.prefix(2_000), as: UTF8.self)
    try #require(response.status == 200, "\(text)", sourceLocation: sourceLocation)
    let body = try response.json
    #expect(body["serverErrorCode"].isAbsent, "\(body)", sourceLocation: sourceLocation)
    return body
}

/// Expects that the whole request was rejected, with all parts of an error (E1); returns the body.
///
/// - Parameter status: The code's own, unless specified otherwise.
@discardableResult
func expectRefused(
    _ response: HTTPResponse, _ code: String, status: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws -> JSON {
    expectCommonHeaders(response, sourceLocation)
    let body = try response.json
    #expect(body["serverErrorCode"] == .string(code), "\(body)", sourceLocation: sourceLocation)
    #expect(response.status == status ?? documentedCodes[code], "\(body)", sourceLocation: sourceLocation)
    #expect(body["reason"].string?.isEmpty == false, "\(body)", sourceLocation: sourceLocation)
    #expect(body["uuid"].string?.isEmpty == false, "\(body)", sourceLocation: sourceLocation)
    #expect(body["uuid"].string == response["X-Apple-Request-UUID"], sourceLocation: sourceLocation)
    #expect(documentedCodes[code] != nil, "\(code) is not documented", sourceLocation: sourceLocation)
    return body
}

private func expectCommonHeaders(_ response: HTTPResponse, _ sourceLocation: SourceLocation) {
    #expect(
        response["Content-Type"]?.lowercased() == "application/json; charset=utf-8", sourceLocation: sourceLocation)
    #expect(response["X-Apple-Request-UUID"]?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(response["Access-Control-Allow-Origin"]?.isEmpty == false, sourceLocation: sourceLocation)
    let exposed = response["Access-Control-Expose-Headers"] ?? ""
    #expect(exposed.contains("X-Apple-CloudKit-Web-Auth-Token"), "\(exposed)", sourceLocation: sourceLocation)
}

/// Expects that one item of a request was rejected, and that it has no other members.
func expectItem(
    _ item: JSON, refusedWith code: String, name: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(item["serverErrorCode"] == .string(code), "\(item)", sourceLocation: sourceLocation)
    #expect(item["reason"].string?.isEmpty == false, "\(item)", sourceLocation: sourceLocation)
    #expect(item["fields"].isAbsent && item["recordType"].isAbsent, "\(item)", sourceLocation: sourceLocation)
    if let name { #expect(item["recordName"] == .string(name), "\(item)", sourceLocation: sourceLocation) }
}

/// Expects a complete record, with everything that strict clients require.
func expectRecord(
    _ record: JSON, name: String? = nil, type: String = "Note", fields: JSON? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(record["serverErrorCode"].isAbsent, "\(record)", sourceLocation: sourceLocation)
    #expect(record["recordName"].string?.isEmpty == false, "\(record)", sourceLocation: sourceLocation)
    if let name { #expect(record["recordName"] == .string(name), "\(record)", sourceLocation: sourceLocation) }
    #expect(record["recordType"] == .string(type), "\(record)", sourceLocation: sourceLocation)
    #expect(record["recordChangeTag"].string?.isEmpty == false, "\(record)", sourceLocation: sourceLocation)
    #expect(record["pluginFields"] == [:], "\(record)", sourceLocation: sourceLocation)
    #expect(record["deleted"] == false, "\(record)", sourceLocation: sourceLocation)
    #expect(record["zoneID"]["zoneName"].string != nil, "\(record)", sourceLocation: sourceLocation)
    for stamp in ["created", "modified"] {
        #expect(record[stamp]["timestamp"].int64 != nil, "\(record)", sourceLocation: sourceLocation)
        #expect(
            record[stamp]["userRecordName"].string?.hasPrefix("_") == true, "\(record)",
            sourceLocation: sourceLocation)
        #expect(record[stamp]["deviceID"].string?.isEmpty == false, "\(record)", sourceLocation: sourceLocation)
    }
    if let fields { #expect(record["fields"] == fields, "\(record)", sourceLocation: sourceLocation) }
}
