// The door that libFuzzer knocks at. It is compiled into one module with the sources of CloudKitWire, CloudKitSchema and
// Audience, and of the readers of forms, passkeys and mails (Fuzz/run), so that the coverage counters see them. FUZZ_TARGET names the property to try.

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A property that holds for all bytes; it stops the process where it does not.
enum FuzzTarget: String, CaseIterable {
    case json, modify, fields, query, zones, subscriptions, schema, multipart, flags, mail, cbor, attestation, client,
        forms

    static let chosen: FuzzTarget = {
        guard let name = getenv("FUZZ_TARGET"), let target = FuzzTarget(rawValue: String(cString: name)) else {
            fatalError("FUZZ_TARGET must be one of \(allCases.map(\.rawValue))")
        }
        return target
    }()

    func tryOut(_ bytes: ArraySlice<UInt8>) {
        switch self {
        case .json: fuzzJSON(bytes)
        case .modify: fuzzModify(bytes)
        case .fields: fuzzFields(bytes)
        case .query: fuzzQuery(bytes)
        case .zones: fuzzZones(bytes)
        case .subscriptions: fuzzSubscriptions(bytes)
        case .schema: fuzzSchema(bytes)
        case .multipart: fuzzMultipart(bytes)
        case .flags: fuzzFlags(bytes)
        case .mail: fuzzMail(bytes)
        case .cbor: fuzzCBOR(bytes)
        case .attestation: fuzzAttestation(bytes)
        case .client: fuzzClientData(bytes)
        case .forms: fuzzForms(bytes)
        }
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.tryOut(Array(UnsafeBufferPointer(start: start, count: count))[...])
    return 0
}

/// Stops the process with a message, which `precondition` leaves out of optimised builds.
func require(_ condition: Bool, _ message: String = "a limit does not hold") {
    if !condition { fatalError(message) }
}
