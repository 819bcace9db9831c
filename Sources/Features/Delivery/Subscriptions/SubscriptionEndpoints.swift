import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// The caller's subscriptions.
enum SubscriptionEndpoints {
    static let all = [
        Endpoint("subscriptions/list", methods: [.get, .post], needsUser: true, answer: list),
        Endpoint("subscriptions/lookup", needsUser: true) { try lookup($0, SubscriptionsLookupRequest(json: $0.body)) },
        Endpoint("subscriptions/modify", needsUser: true) {
            try modify($0, SubscriptionsModifyRequest(json: $0.body, limits: $0.requestLimits))
        },
    ]

    private static func list(_ call: AdmittedCall) throws -> Work {
        let operation = try ListSubscriptions(context: call.context)
        return call.read(operation.reading) { reading in
            let subscriptions = try operation.answer(reading)
            return answer { json in
                for subscription in subscriptions { json.subscription(subscription) }
            }
        }
    }

    private static func lookup(_ call: AdmittedCall, _ request: SubscriptionsLookupRequest) throws -> Work {
        let operation = try LookupSubscriptions(request, context: call.context)
        return call.read(operation.reading) { reading in
            answer { json in
                for (asked, answer) in zip(request.subscriptionIDs, operation.answer(reading)) {
                    switch answer {
                    case .success(let subscription): json.subscription(subscription)
                    case .failure(let refusal): json.refused(refusal, subscription: asked, call)
                    }
                }
            }
        }
    }

    private static func modify(_ call: AdmittedCall, _ request: SubscriptionsModifyRequest) throws -> Work {
        let operation = try ModifySubscriptions(request, context: call.context) { call.newName() }
        return call.commit(operation.reading, decide: operation.decide) { items in
            answer { json in
                for (asked, item) in zip(request.operations, items) {
                    switch item {
                    case .saved(let subscription): json.subscription(subscription)
                    case .deleted(let name): json.deleted(subscription: name)
                    case .refused(let refusal):
                        json.refused(refusal, subscription: asked.subscription.subscriptionID, call)
                    }
                }
            }
        }
    }

    private static func answer(_ subscriptions: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("subscriptions")
        json.beginArray()
        subscriptions(&json)
        json.endArray()
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func subscription(_ subscription: StoredSubscription) {
        let zoneID = subscription.zone.map { ZoneIDDictionary.encoded(zoneName: $0.name, owner: $0.owner) }
        subscription.dictionary.write(to: &self, zoneID: zoneID)
    }

    fileprivate mutating func deleted(subscription name: Name) {
        beginObject()
        member("subscriptionID", name)
        member("deleted", true)
        endObject()
    }

    fileprivate mutating func refused(_ refusal: Refusal, subscription name: Name?, _ call: AdmittedCall) {
        var error = ErrorDictionary(refusal, extras: call.wantsExtras)
        error.subscriptionID = name?.text
        error.write(to: &self)
    }
}
