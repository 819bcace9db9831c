import CloudKitWire
import Foundation
import NephosTransport

extension CKContainer {
    /// What a subscription told.
    public struct RemoteNotification: @unchecked Sendable {
        /// The payload, as an app gets it from a push on Apple's platforms.
        public let userInfo: [AnyHashable: Any]

        /// Of a kind that says what changed; one that is pruned says that anything may have.
        public var notification: CKNotification? { CKNotification(fromRemoteNotificationDictionary: userInfo) }
    }

    /// Notifications of one's subscriptions, of every change that is made after this returns, for as long as somebody reads
    /// them: what pushes are on Apple's platforms. Changes that are made through this container are not told.
    ///
    /// Like pushes they may be merged. When some may have been lost, as after the network was gone, a pruned one comes:
    /// fetch the changes.
    ///
    /// - Returns: A sequence that ends with a ``CKError`` when the session ends.
    /// - Throws: ``CKError`` when nobody is signed in, or the server cannot be reached.
    public func remoteNotifications() async throws -> AsyncThrowingStream<RemoteNotification, any Error> {
        var courier = Courier(service: service)
        try await courier.register()
        let registered = courier
        return AsyncThrowingStream { continuation in
            let task = Task {
                var courier = registered
                do {
                    while !Task.isCancelled { continuation.yield(try await courier.next()) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// Asks a server for notifications, one after the other (docs/protocol.md, "Receiving notifications").
struct Courier {
    /// The server answers after 50 s in any case.
    private static let terms = Service.Terms(timeout: 90)

    private let service: Service
    private var address: URL?
    private var pause = 1.0

    init(service: Service) { self.service = service }

    /// Waits for the next one.
    ///
    /// - Throws: What will not pass: nobody is signed in, or the task was cancelled.
    mutating func next() async throws(CKError) -> CKContainer.RemoteNotification {
        while true {
            do throws(CKError) {
                if address == nil { try await register() }
                guard let address else { throw .unanswered }
                var request = TransportRequest(method: "GET", url: address)
                request.sink = .memory(limit: 1 << 20)
                request.waits = true
                let answer = try await service.exchange(request, isChange: false, Self.terms)
                guard answer.status == 200 else { throw CKError(answer, isChange: false) }
                pause = 1
                if let payload = Self.payload(answer.body) { return payload }
            } catch {
                // A device that was silent for long is forgotten: it is another one then, and has missed something.
                let isForgotten = error.code == .notAuthenticated && address != nil
                guard error.mayPass || isForgotten else { throw error }
                if isForgotten { address = nil }
                try await service.wait(error.retryAfterSeconds ?? pause)
                pause = min(pause * 2, 60)
                return CKContainer.RemoteNotification(userInfo: ["ck": ["ce": 2, "cid": service.container]])
            }
        }
    }

    /// Makes this a device that the server keeps notifications for.
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
                if case "webcourierURL" = key { url = URL(string: try reader.readText()) }
            }
            guard let url else { throw WireError("the device has no webcourierURL") }
            return url
        }
    }

    /// Nil for `null`, which says that there was nothing.
    private static func payload(_ body: Data) -> CKContainer.RemoteNotification? {
        guard let object = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed),
            let userInfo = object as? [String: Any]
        else { return nil }
        return CKContainer.RemoteNotification(userInfo: userInfo)
    }
}
