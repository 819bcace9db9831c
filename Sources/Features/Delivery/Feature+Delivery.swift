package import NephosRunner

extension Feature {
    /// Notifies devices and webhooks of changes: their subscriptions, the notifications, and how these are delivered.
    ///
    /// - Parameter post: Creates the transport of deliveries from a server's settings. It must hold nothing that has to be closed
    ///   before the first delivery is sent.
    package static func delivery(by post: @escaping @Sendable (FeatureSettings) throws -> any Post) -> Feature {
        var feature = Feature("delivery", useCases: [.push, .webhooks])
        feature.prepare = { settings in
            let (options, post) = (try DeliveryOptions(settings), try post(settings))
            return { host in serve(options, post, host) }
        }
        feature.keyIsLost = { administration, tenant throws(AdminError) in
            try await administration.deleteClosedWebhooks(of: tenant)
        }
        return feature
    }

    private static func serve(_ options: DeliveryOptions, _ post: any Post, _ host: FeatureHost) -> FeatureService {
        let delivery = DeliveryService(
            worker: host.apart, options: options, post: post, observer: DeliveryObserver(host))
        let hub = options.notifiesDevices ? delivery.hub : nil
        let courier = CourierEndpoint(runner: host.runner, hub: hub, randomSource: host.randomSource)
        var service = FeatureService(endpoints: SubscriptionEndpoints.all + DeviceEndpoints.all + [courier.endpoint])
        guard let hub else { return service }
        service.jobs = [delivery.job]
        service.figures["nephos_devices_waiting"] = { Double(hub.waiting) }
        service.help = [
            "nephos_deliveries_total": "Attempts to notify devices and webhooks, by channel and outcome.",
            "nephos_devices_waiting": "Devices that wait for a notification on this server.",
        ]
        service.listen = delivery.listen
        service.run = delivery.run
        return service
    }
}
