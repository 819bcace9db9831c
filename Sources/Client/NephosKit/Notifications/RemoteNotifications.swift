import CloudKitWire
import Foundation
import NephosTransport

extension CKContainer {
    /// A notification of a subscription.
    public struct RemoteNotification: @unchecked Sendable {
        /// The payload, as an app receives it with a push on Apple's platforms.
        public let userInfo: [AnyHashable: Any]

        /// The notification, of the subclass that reports what changed. If it is pruned, anything may have changed.
        public var notification: CKNotification? { CKNotification(fromRemoteNotificationDictionary: userInfo) }
    }

    /// Returns notifications of the person's subscriptions for every change that is made after this function returns,
    /// for as long as the sequence is read. They replace the pushes of Apple's platforms. Changes that are made through
    /// this container are not reported.
    ///
    /// Like pushes, notifications may be merged. If some may have been lost, for example because the network was
    /// unavailable, a pruned notification is delivered: fetch the changes.
    ///
    /// - Returns: A sequence that ends with a ``CKError`` when the session ends, or on another error that is not
    ///   temporary.
    /// - Throws: ``CKError`` when nobody is signed in, or the server cannot be reached.
    public func remoteNotifications() async throws -> AsyncThrowingStream<RemoteNotification, any Error> {
        var courier = Courier(service: service)
        try await courier.register()
        let registered = courier
        return AsyncThrowingStream(bufferingPolicy: .bufferingOldest(Courier.most)) { continuation in
            let task = Task {
                var courier = registered
                do {
                    while !Task.isCancelled {
                        var notification = try await courier.next()
                        // While the program reads more slowly than notifications arrive, none is requested. The one that was
                        // not taken becomes one that says that anything may have changed.
                        while case .dropped = continuation.yield(notification) {
                            try await courier.wait()
                            notification = courier.pruned
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Polls a server for notifications, one after the other (docs/protocol.md, "Receiving notifications").
struct Courier {
    /// The most notifications that wait for the program to read them.
    static let most = 100
    /// The most bytes of a notification; a push has up to 4 KB.
    private static let payloadBytesMax = 16 << 10
    /// By default, the server responds after 50 s at the latest.
    private static let terms = Service.Terms(timeout: 90)
    /// A server that responds earlier, without a notification, is not one that waits for notifications.
    private static let patience = Duration.seconds(10)
    private static let pauses = 1.0...60.0

    private let service: Service
    private var address: URL?
    private var pause = Self.pauses.lowerBound

    init(service: Service) { self.service = service }

    /// A notification that anything may have changed.
    var pruned: CKContainer.RemoteNotification {
        CKContainer.RemoteNotification(userInfo: ["ck": ["ce": 2, "cid": service.container]])
    }

    /// Waits for the next notification. After a temporary error, pauses and returns a pruned one. Also pauses, longer each time,
    /// after a response that is no notification, unless the server has waited for one and says that there was none.
    ///
    /// - Throws: An error that is not temporary: for example, nobody is signed in, or the task was cancelled.
    mutating func next() async throws(CKError) -> CKContainer.RemoteNotification {
        while true {
            // A server that waits is asked again without a pause, which would notice it.
            guard !Task.isCancelled else { throw .cancelled }
            do throws(CKError) {
                if address == nil { try await register() }
                guard let address else { throw .unanswered }
                var request = TransportRequest(method: "GET", url: address)
                request.sink = .memory(limit: Self.payloadBytesMax)
                request.waits = true
                let began = service.now()
                let answer = try await service.exchange(request, isChange: false, Self.terms)
                let poll = Self.poll(answer.body)
                let hasWaited = began.duration(to: service.now()) >= Self.patience
                switch poll {
                case .notification(let notification):
                    pause = Self.pauses.lowerBound
                    return notification
                case .nothing where hasWaited: pause = Self.pauses.lowerBound
                case .nothing, .unreadable: try await wait()
                }
            } catch {
                // The server removes a device that has not polled for a long time. A new one is registered then, and
                // notifications may have been lost.
                let isForgotten = error.code == .notAuthenticated && address != nil
                guard error.mayPass || isForgotten else { throw error }
                if isForgotten { address = nil }
                try await wait(atLeast: error.retryAfterSeconds ?? 0)
                return pruned
            }
        }
    }

    /// Pauses before the next request: 1 s, 2 s, 4 s up to a minute, or as long as the server requests if that is longer.
    mutating func wait(atLeast seconds: Double = 0) async throws(CKError) {
        try await service.wait(max(seconds, pause))
        pause = min(pause * 2, Self.pauses.upperBound)
    }

    /// Registers a device for which the server stores notifications.
    mutating func register() async throws(CKError) {
        guard try await service.user(Self.terms) != nil else {
            throw .signedOut("notification")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("apnsEnvironment", "development")
        writer.member("clientId", service.clientID)
        writer.endObject()
        let json = try await service.answer(to: Service.Request("tokens/create", nil, writer.bytes), Self.terms)
        address = try CKError.reading { () throws(WireError) in
            var (reader, url) = (try JSONReader(json), URL?.none)
            try reader.readMembers { reader, key throws(WireError) in
                if case "webcourierURL" = key { url = service.url(try reader.readText()) }
            }
            guard let url else { throw WireError("the device has no webcourierURL that may be used") }
            return url
        }
    }

    /// The response to a request for a notification.
    private enum Poll {
        case notification(CKContainer.RemoteNotification)
        /// `null`: there was none.
        case nothing
        case unreadable
    }

    private static func poll(_ body: Data) -> Poll {
        let object = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        if object is NSNull { return .nothing }
        guard let userInfo = object as? [String: Any] else { return .unreadable }
        let notification = CKContainer.RemoteNotification(userInfo: userInfo)
        return notification.notification == nil ? .unreadable : .notification(notification)
    }
}
