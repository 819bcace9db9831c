private let zone = ReferenceZone(zoneName: "Notebook", ownerRecordName: "_owner", isPublic: false)
private let publicZone = ReferenceZone(zoneName: "_defaultZone", ownerRecordName: "_owner", isPublic: true)

/// A schema for the fields that the corpus uses; others are unknown.
private func known(_ name: Name) -> KnownField? {
    guard let first = name.bytes.first, name.bytes.count == 2, let last = name.bytes.last else { return nil }
    guard let type = FieldType(rawValue: Int64(last &- UInt8(ascii: "a"))) else { return nil }
    return KnownField(type, isEncrypted: first == UInt8(ascii: "e"))
}

/// Two saves, separated by a line break: the stored bytes of each are canonical, and so are those of both together.
func fuzzFields(_ bytes: ArraySlice<UInt8>) {
    readAsIfCanonical(bytes)
    let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
    var stored = CanonicalFields.empty
    for part in parts {
        guard let input = try? FieldsInput(json: part) else { continue }
        checkPatch(try? input.patch(recordType: "T", zone: publicZone, known: { _ in nil }), onto: stored)
        if let merged = checkPatch(try? input.patch(recordType: "T", zone: zone, known: known), onto: stored) {
            stored = merged
        }
    }
}

@discardableResult
private func checkPatch(_ patch: FieldsPatch?, onto stored: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let patch else { return nil }
    require(CanonicalFields.isCanonical(patch.set), "a patch is not canonical")
    require(CanonicalFields.names(in: patch.set) == patch.fields.map(\.name), "a patch reports other fields")
    require(CanonicalFields.references(in: patch.set) == patch.references, "a patch reports other references")
    let merged = CanonicalFields.merge(stored: stored, patch: patch)
    require(CanonicalFields.isCanonical(merged), "a merge is not canonical")
    for field in patch.fields {
        require(
            CanonicalFields.value(of: field.name, in: merged) == CanonicalFields.value(of: field.name, in: patch.set),
            "a merge lost a field")
    }
    for name in patch.removed {
        require(CanonicalFields.value(of: name, in: merged) == nil, "a merge kept a removed field")
    }
    var writer = JSONWriter()
    CanonicalFields.write(merged, numbersAsStrings: true, to: &writer)
    require((try? FieldsInput(json: writer.bytes[...])) != nil, "a response is not valid JSON")
    let again = (try? FieldsInput(json: merged))
        .flatMap { try? $0.patch(recordType: "T", zone: zone, known: { _ in nil }) }
    require(patch.references.isEmpty ? again?.set == merged : true, "saving stored fields changes them")
    return merged
}

/// For any bytes, nothing outside of them is read.
private func readAsIfCanonical(_ bytes: ArraySlice<UInt8>) {
    let names = CanonicalFields.names(in: bytes)
    _ = CanonicalFields.references(in: bytes)
    _ = CanonicalFields.merge(stored: bytes, patch: FieldsPatch(set: bytes, removed: names))
    var writer = JSONWriter()
    CanonicalFields.write(bytes, selecting: DesiredKeys(names), numbersAsStrings: true, to: &writer)
    _ = CanonicalFields.isCanonical(bytes)
}
