private let zone = ReferenceZone(zoneName: "Notebook", ownerRecordName: "_owner", isPublic: false)

/// A body of `records/modify`, or of `records/lookup`: what is accepted keeps the limits and stores canonical bytes.
func fuzzModify(_ bytes: ArraySlice<UInt8>) {
    if let request = try? RecordsLookupRequest(json: bytes) { require(request.records.count <= 200) }
    guard let request = try? RecordsModifyRequest(json: bytes) else { return }
    require(request.operations.count <= 200)
    for operation in request.operations {
        let fields = operation.record.fields
        guard let patch = try? fields.patch(recordType: "T", zone: zone, known: { _ in nil }) else { continue }
        require(CanonicalFields.isCanonical(patch.set), "a patch is not canonical")
    }
}

/// A body of `records/query`.
func fuzzQuery(_ bytes: ArraySlice<UInt8>) {
    guard let request = try? RecordsQueryRequest(json: bytes) else { return }
    require((1...200).contains(request.resultsLimit ?? 1) && request.query.filters.count <= 20)
    for filter in request.query.filters {
        _ = try? filter.value.recordNames()
        for type in FieldType.allCases { _ = try? filter.value.canonical(as: type, in: zone) }
    }
    for sort in request.query.sorts { _ = try? sort.relativeLocation?.canonical(as: .location, in: zone) }
}

/// A body of one of the endpoints of zones and changes.
func fuzzZones(_ bytes: ArraySlice<UInt8>) {
    if let request = try? ZonesLookupRequest(json: bytes) { require(request.zones.count <= 200) }
    if let request = try? ZonesModifyRequest(json: bytes) { require(request.operations.count <= 200) }
    if let request = try? ZoneChangesRequest(json: bytes) {
        for zone in request.zones { require((1...200).contains(zone.resultsLimit ?? 1)) }
    }
    _ = try? DatabaseChangesRequest(json: bytes)
    _ = try? RecordsChangesRequest(json: bytes)
}
