import CloudKitWire
import Foundation

extension String {
    /// The text as a request body.
    var body: ArraySlice<UInt8> { Array(utf8)[...] }
}

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// The output of `write`.
func written(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return text(writer.bytes)
}

/// The seeds of property tests: 24 fixed ones, or the one in the environment variable SEED, to reproduce a failure.
let seeds: [UInt64] = ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init).map { [$0] } ?? Array(1...24)

/// A zone of a private database.
let notebook = ReferenceZone(zoneName: "Notebook", ownerRecordName: "_owner", isPublic: false)
/// The default zone of a public database.
let publicZone = ReferenceZone(zoneName: "_defaultZone", ownerRecordName: "_owner", isPublic: true)

/// The stored result of saving these fields, or the reason for a rejection.
func patched(
    _ json: String, in zone: ReferenceZone = notebook, schema: [Name: KnownField] = [:]
) -> Result<FieldsPatch, FieldProblem> {
    do throws(FieldProblem) {
        guard let input = try? FieldsInput(json: json.body) else {
            throw FieldProblem(field: nil, message: "no JSON: \(json)")
        }
        return .success(try input.patch(recordType: "Note", zone: zone, known: { schema[$0] }))
    } catch {
        return .failure(error)
    }
}

/// The stored form of one field value without and with a schema; nil if it is rejected.
func stored(_ value: String, known: KnownField? = nil, in zone: ReferenceZone = notebook) -> String? {
    guard case .success(let patch) = patched("{\"f\":\(value)}", in: zone, schema: known.map { ["f": $0] } ?? [:])
    else { return nil }
    return CanonicalFields.value(of: "f", in: patch.set).map { text($0) } ?? "removed"
}

/// Why one field value is rejected; nil if it is not.
func refusal(_ value: String, known: KnownField? = nil, in zone: ReferenceZone = notebook) -> String? {
    guard case .failure(let problem) = patched("{\"f\":\(value)}", in: zone, schema: known.map { ["f": $0] } ?? [:])
    else { return nil }
    return problem.message
}
