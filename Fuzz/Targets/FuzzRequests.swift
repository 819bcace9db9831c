private let zone = ReferenceZone(zoneName: "Notebook", ownerRecordName: "_owner", isPublic: false)

/// A body of `records/modify`, or of `records/lookup`: accepted operations are within the limits and store canonical bytes.
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
    for filter in request.query.filters { fuzzFilter(filter) }
    for sort in request.query.sorts {
        guard let place = try? sort.relativeLocation?.place() else { continue }
        require((-90...90).contains(place.latitude) && (-180...180).contains(place.longitude))
    }
}

/// For any field, a value that was read can be compared with it.
private func fuzzFilter(_ filter: QueryFilter) {
    for type in FieldType.allCases {
        for isSystem in [false, true] {
            let subject = FilterSubject(
                field: filter.field?.name ?? "", recordType: "T", type: type, isSystem: isSystem, zone: zone)
            if let value = try? filter.value.filterValue(of: subject) { checkFits(value, type) }
            guard let values = try? filter.value.filterValues(of: subject) else { continue }
            require(values.count <= 250)
            for value in values { checkFits(value, type) }
        }
    }
}

private func checkFits(_ value: FilterValue, _ type: FieldType) {
    switch (type.element ?? type, value) {
    case (.string, .string), (.bytes, .bytes), (.reference, .recordName), (.timestamp, .integer), (.int64, .integer),
        (.double, .integer):
        break
    case (.int64, .double(let number)), (.double, .double(let number)): require(number.isFinite)
    case (.location, .location(let latitude, let longitude)):
        require((-90...90).contains(latitude) && (-180...180).contains(longitude))
    default: require(false, "\(value) was read for a field of type \(type)")
    }
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
