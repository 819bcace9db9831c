import CloudKitWire
import NephosDomain
import NephosStorage

/// Creates a webhook in one transaction: its key, if it gets one of its own, its subscription and its device. A refusal leaves
/// nothing.
struct CreateWebhook: Sendable {
    private let device: DeviceRow
    private let request: SubscriptionsModifyRequest
    private let name: Name
    private let enrolment: Enrolment?

    /// - Parameter enrolment: Registers the key as the device's user; nil for a known key.
    init(_ device: DeviceRow, _ request: SubscriptionsModifyRequest, _ name: Name, _ enrolment: Enrolment?) {
        self.device = device
        self.request = request
        self.name = name
        self.enrolment = enrolment
    }

    private func subscription(_ catalog: Catalog) throws -> ModifySubscriptions {
        let context = RequestContext(
            catalog: catalog, caller: .serverKey(device.key.user), scope: .public, now: device.createdAt)
        return try ModifySubscriptions(request, context: context) { name }
    }

    /// The first databases and zones are those of the enrollment, which are the public ones.
    func reading(_ catalog: Catalog) throws -> ReadSet {
        let subscription = try subscription(catalog).reading
        guard let enrolment else { return subscription }
        var more = subscription
        more.databases = []
        var set = enrolment.reading
        set.append(more)
        return set
    }

    func decide(_ reading: Reading) throws -> Decision<Void> {
        var (writes, rest) = (WriteSet(), reading)
        if let enrolment {
            switch try enrolment.decide(reading) {
            case .need(let more, _): return .need(more)
            case .write(let made, _):
                writes = made
                // The subscription is saved after the user's record.
                rest.databases[0] = made.heads.first ?? reading.databases[0]
                rest.zones.removeFirst(enrolment.reading.zones.count)
            }
        }
        guard case .write(let saved, let items) = try subscription(reading.catalog).decide(rest) else {
            throw Refusal.failed
        }
        if case .refused(let refusal)? = items.first { throw refusal }
        if !saved.heads.isEmpty { writes.heads = saved.heads }
        writes.changes += saved.changes
        writes.put(device)
        return .write(writes, ())
    }
}
