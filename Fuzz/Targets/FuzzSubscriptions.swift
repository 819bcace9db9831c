/// A body of `subscriptions/modify`, or of the endpoints of devices: what is accepted is stored so that it is read as it was
/// written, and never makes a payload that Apple's push service would not take.
func fuzzSubscriptions(_ bytes: ArraySlice<UInt8>) {
    if let request = try? PushTokenRequest(json: bytes) { _ = request.apnsToken?.text }
    if let request = try? SubscriptionsLookupRequest(json: bytes) { require(request.subscriptionIDs.count <= 200) }
    _ = PushPayload.isShown(bytes)
    guard let request = try? SubscriptionsModifyRequest(json: bytes) else { return }
    require(request.operations.count <= 200)
    for operation in request.operations { check(operation.subscription) }
}

private func check(_ subscription: SubscriptionDictionary) {
    let stored = written(subscription)
    guard let again = try? SubscriptionDictionary(stored: stored[...]) else {
        return require(false, "what was written cannot be read")
    }
    require(written(again) == stored, "what was written is read as something else")
    guard let info = subscription.notificationInfo else { return }
    let values = Dictionary(uniqueKeysWithValues: info.notificationFields.map { ($0, ArraySlice("\"value\"".utf8)) })
    let payload = PushPayload(
        container: "iCloud.org.example", user: UserID(high: 1, low: 2), notificationID: "id",
        subscriptionID: subscription.subscriptionID ?? "id", event: .query(reason: .created, recordName: "r"),
        scope: .public, zone: nil, info: info, values: values
    ).json()
    var reader = try? JSONReader(payload[...])
    let isWhole = (try? reader?.readMembers { reader, _ throws(WireError) in _ = try reader.skipValue() }) != nil
    require(isWhole, "a payload is no JSON")
}

private func written(_ subscription: SubscriptionDictionary) -> [UInt8] {
    var writer = JSONWriter()
    let zone = subscription.zoneID.map { ZoneIDDictionary.encoded(zoneName: $0.zoneName, ownerRecordName: nil) }
    subscription.write(to: &writer, zoneID: zone)
    return writer.bytes
}
