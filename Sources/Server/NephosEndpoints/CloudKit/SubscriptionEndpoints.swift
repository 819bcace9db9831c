import CloudKitWire
import NephosDomain
import NephosRunner
import NephosStorage

/// Subscriptions of whoever asks.
enum SubscriptionEndpoints {
    static let all = [
        Endpoint("subscriptions/list", methods: [.get, .post], needsUser: true, answer: list),
        Endpoint("subscriptions/lookup", needsUser: true) { try lookup($0, SubscriptionsLookupRequest(json: $0.body)) },
        Endpoint("subscriptions/modify", needsUser: true) { try modify($0, SubscriptionsModifyRequest(json: $0.body)) },
    ]

    private static func list(_ call: AdmittedCall) throws -> Work {
        let operation = try ListSubscriptions(context: call.context)
        return call.read(operation.reading) { reading in
            let subscriptions = try operation.answer(reading)
            return call.object { writer in
                writer.array("subscriptions") { writer in
                    for subscription in subscriptions { writer.subscription(subscription) }
                }
            }
        }
    }

    private static func lookup(_ call: AdmittedCall, _ request: SubscriptionsLookupRequest) throws -> Work {
        let operation = try LookupSubscriptions(request, context: call.context)
        return call.read(operation.reading) { reading in
            call.object { writer in
                writer.array("subscriptions") { writer in
                    for (asked, answer) in zip(request.subscriptionIDs, operation.answer(reading)) {
                        switch answer {
                        case .success(let subscription): writer.subscription(subscription)
                        case .failure(let refusal): writer.refused(refusal, subscription: asked)
                        }
                    }
                }
            }
        }
    }

    private static func modify(_ call: AdmittedCall, _ request: SubscriptionsModifyRequest) throws -> Work {
        let operation = try ModifySubscriptions(request, context: call.context) { call.newName() }
        return call.commit(operation.reading, decide: operation.decide) { items in
            call.object { writer in
                writer.array("subscriptions") { writer in
                    for (asked, item) in zip(request.operations, items) {
                        switch item {
                        case .saved(let subscription): writer.subscription(subscription)
                        case .deleted(let name): writer.deleted(subscription: name)
                        case .refused(let refusal):
                            writer.refused(refusal, subscription: asked.subscription.subscriptionID)
                        }
                    }
                }
            }
        }
    }
}

extension AnswerWriter {
    fileprivate mutating func subscription(_ subscription: StoredSubscription) {
        var zoneID: Bytes?
        if let zone = subscription.zone { zoneID = self.zoneID(zone) }
        subscription.dictionary.write(to: &json, zoneID: zoneID)
    }

    fileprivate mutating func deleted(subscription name: Name) {
        json.beginObject()
        json.member("subscriptionID", name)
        json.member("deleted", true)
        json.endObject()
    }

    fileprivate mutating func refused(_ refusal: Refusal, subscription name: Name?) {
        var error = ErrorDictionary(refusal, extras: extras)
        error.subscriptionID = name?.text
        error.write(to: &json)
    }
}
