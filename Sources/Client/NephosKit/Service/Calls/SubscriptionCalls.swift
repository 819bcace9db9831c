import CloudKitWire
import Foundation

/// `subscriptions/list`, `subscriptions/lookup` and `subscriptions/modify`.
struct SubscriptionsCall: ServiceCall {
    enum Kind: Sendable {
        case list
        case lookup([CKSubscription.ID])
        /// The subscriptions to save are JSON.
        case modify(saving: [[UInt8]], deleting: [CKSubscription.ID])
    }

    typealias Item = AnsweredItem<CKSubscription.ID, CKSubscription>

    var scope: CKDatabaseScope
    var kind: Kind

    var path: String {
        switch kind {
        case .list: "subscriptions/list"
        case .lookup: "subscriptions/lookup"
        case .modify: "subscriptions/modify"
        }
    }

    var isChange: Bool { if case .modify = kind { true } else { false } }

    func write(to writer: inout JSONWriter) {
        switch kind {
        case .list: break
        case .lookup(let ids):
            writer.key("subscriptions")
            writer.beginArray()
            for id in ids { write(id, to: &writer) }
            writer.endArray()
        case .modify(let saved, let deleted):
            writer.key("operations")
            writer.beginArray()
            for json in saved {
                writer.beginObject()
                writer.member("operationType", "create")
                writer.member("subscription", raw: json[...])
                writer.endObject()
            }
            for id in deleted {
                writer.beginObject()
                writer.member("operationType", "delete")
                writer.key("subscription")
                write(id, to: &writer)
                writer.endObject()
            }
            writer.endArray()
        }
    }

    private func write(_ id: CKSubscription.ID, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("subscriptionID", id)
        writer.endObject()
    }

    func read(
        _ reader: inout JSONReader, _ viewer: Viewer
    ) throws(WireError) -> Answers<CKSubscription.ID, CKSubscription> {
        var items: [Item]?
        let subscriptions = SubscriptionReader(user: viewer.user, isChange: isChange)
        try reader.readMembers { reader, key throws(WireError) in
            guard case "subscriptions" = key else { return }
            items = try subscriptions.items(&reader)
        }
        guard let items else { throw WireError("the answer has no subscriptions") }
        return Answers(items)
    }
}
