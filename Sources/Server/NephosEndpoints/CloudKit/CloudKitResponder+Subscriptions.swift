import CloudKitWire
import NephosDomain
import NephosStorage

extension CloudKitResponder {
    func listSubscriptions(_ step: Step) throws -> Work {
        let operation = try ListSubscriptions(context: step.context)
        return read(step, operation.reading) { reading in
            let subscriptions = try operation.answer(reading)
            return step.object { writer in
                writer.array("subscriptions") { writer in
                    for subscription in subscriptions { writer.subscription(subscription) }
                }
            }
        }
    }

    func lookup(_ step: Step, _ request: SubscriptionsLookupRequest) throws -> Work {
        let operation = try LookupSubscriptions(request, context: step.context)
        return read(step, operation.reading) { reading in
            step.object { writer in
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

    func modify(_ step: Step, _ request: SubscriptionsModifyRequest) throws -> Work {
        let operation = try ModifySubscriptions(request, context: step.context) { Name(RequestID.next().text) }
        return commit(step, operation.reading, decide: operation.decide) { items in
            step.object { writer in
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
