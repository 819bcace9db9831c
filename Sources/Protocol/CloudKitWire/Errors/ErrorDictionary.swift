/// An error of the whole request or of one item of it. Keys without a value are omitted.
public struct ErrorDictionary: Sendable {
    public var code: ServerErrorCode
    /// For people: what happened, what was expected, what to do.
    public var reason: String
    /// ID of the request.
    public var uuid: String?
    /// Seconds to wait before a retry.
    public var retryAfter: Int?
    /// The sign-in page.
    public var redirectURL: String?
    public var recordName: Name?
    /// A zone ID dictionary (`ZoneIDDictionary.encoded`).
    public var zoneID: ArraySlice<UInt8>?
    public var subscriptionID: String?
    /// Number of a `CKError.Code`; only for clients that requested it (docs/protocol.md, "Extra keys").
    public var ckErrorCode: Int?
    /// The record's current state as a record dictionary, as JSON; only for clients that requested it.
    public var serverRecord: ArraySlice<UInt8>?
    /// Of a share record in `serverRecord`, the shared record.
    public var rootRecord: ArraySlice<UInt8>?

    public init(
        _ code: ServerErrorCode, _ reason: String, uuid: String? = nil, retryAfter: Int? = nil,
        redirectURL: String? = nil, recordName: Name? = nil, zoneID: ArraySlice<UInt8>? = nil,
        subscriptionID: String? = nil, ckErrorCode: Int? = nil, serverRecord: ArraySlice<UInt8>? = nil
    ) {
        self.code = code
        self.reason = reason
        self.uuid = uuid
        self.retryAfter = retryAfter
        self.redirectURL = redirectURL
        self.recordName = recordName
        self.zoneID = zoneID
        self.subscriptionID = subscriptionID
        self.ckErrorCode = ckErrorCode
        self.serverRecord = serverRecord
    }

    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writeMembers(to: &writer)
        writer.endObject()
    }

    /// Writes the members without braces, for a response with other members.
    package func writeMembers(to writer: inout JSONWriter) {
        if let recordName { writer.member("recordName", recordName) }
        if let zoneID { writer.member("zoneID", raw: zoneID) }
        if let subscriptionID { writer.member("subscriptionID", subscriptionID) }
        if let uuid { writer.member("uuid", uuid) }
        writer.member("serverErrorCode", code.rawValue)
        writer.member("reason", reason)
        if let retryAfter { writer.member("retryAfter", Int64(retryAfter)) }
        if let redirectURL { writer.member("redirectURL", redirectURL) }
        if let ckErrorCode { writer.member("ckErrorCode", Int64(ckErrorCode)) }
        if let serverRecord { writer.member("serverRecord", raw: serverRecord) }
        if let rootRecord { writer.member("rootRecord", raw: rootRecord) }
    }
}
