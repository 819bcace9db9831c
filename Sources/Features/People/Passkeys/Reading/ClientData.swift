import CloudKitWire

/// What a browser says of the page on which a passkey was made or used (WebAuthn, "Client Data"): JSON, which the passkey signs.
struct ClientData: Sendable, Equatable {
    enum Kind: String, Sendable {
        case make = "webauthn.create"
        case use = "webauthn.get"
    }

    static let bytesMax = 4_096

    let kind: Kind
    /// As the page handed it over, in base64url.
    let challenge: String
    /// As the browser writes it.
    let origin: String
    /// Whether a page of another origin had it in a frame.
    let isCrossOrigin: Bool

    /// - Throws: ``PasskeyProblem/unreadable`` for what no browser writes.
    init(_ bytes: ArraySlice<UInt8>) throws(PasskeyProblem) {
        guard bytes.count <= Self.bytesMax, let said = try? Self.said(bytes), let kind = said.kind,
            let challenge = said.challenge, let origin = said.origin
        else { throw .unreadable }
        (self.kind, self.challenge, self.origin) = (kind, challenge, origin)
        isCrossOrigin = said.isCrossOrigin
    }

    private static func said(
        _ bytes: ArraySlice<UInt8>
    ) throws(WireError) -> (kind: Kind?, challenge: String?, origin: String?, isCrossOrigin: Bool) {
        var (kind, challenge, origin, isCrossOrigin) = (Kind?.none, String?.none, String?.none, false)
        var reader = try JSONReader(bytes)
        try reader.readObject { reader, key throws(WireError) in
            switch key {
            case "type": kind = Kind(rawValue: try text(&reader))
            case "challenge": challenge = try text(&reader)
            case "origin": origin = try text(&reader)
            case "crossOrigin": isCrossOrigin = try reader.readBool()
            // Where it says more, later versions do; whoever frames the page is told by the flag.
            default: break
            }
        }
        try reader.finish()
        return (kind, challenge, origin, isCrossOrigin)
    }

    private static func text(_ reader: inout JSONReader) throws(WireError) -> String {
        String(decoding: try reader.readString(), as: UTF8.self)
    }
}
