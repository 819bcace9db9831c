import CloudKit
import DeliveryTesting
import Foundation
import NephosTesting
import Testing

extension DeliveryTests {
    /// The flow that CloudKit recommends for programs that synchronize a user's data, with the client library.
    @Suite struct FlowTests {
        enum Way: String, CaseIterable, Sendable { case pushes, withoutPushes }

        /// A program that stores what it has fetched, and its position.
        private struct Program {
            static let zone = CKRecordZone.ID(zoneName: "Diary")

            let container: CKContainer
            var database: CKDatabase { container.privateCloudDatabase }
            /// Stored between launches: archives of tokens.
            private(set) var saved: [CKRecordZone.ID?: Data] = [:]

            init(_ party: Party) throws {
                let cloud = party.container
                container = CKContainer(
                    identifier: cloud.id,
                    configuration: NephosConfiguration(
                        serverURL: URL(string: "http://127.0.0.1:\(cloud.cloud.server.port)"),
                        apiToken: cloud.apiToken, webAuthToken: try cloud.session("ada@example.org")))
            }

            func write(_ name: String) async throws {
                let record = CKRecord(
                    recordType: "Open", recordID: CKRecord.ID(recordName: name, zoneID: Self.zone))
                try await database.save(record)
            }

            /// Fetches first the changed zones, then the changes in each. - Returns: Names of the fetched records.
            mutating func fetch() async throws -> [String] {
                var names: [String] = []
                let changes = try await database.databaseChanges(since: try token(nil))
                for zone in changes.modifications.map(\.zoneID) where zone == Self.zone {
                    let page = try await database.recordZoneChanges(inZoneWith: zone, since: try token(zone))
                    names += page.modificationResultsByID.keys.map(\.recordName)
                    try save(page.changeToken, zone)
                }
                try save(changes.changeToken, nil)
                return names.sorted()
            }

            private func token(_ zone: CKRecordZone.ID?) throws -> CKServerChangeToken? {
                try saved[zone].flatMap {
                    try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: $0)
                }
            }

            private mutating func save(_ token: CKServerChangeToken, _ zone: CKRecordZone.ID?) throws {
                saved[zone] = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
            }

            func subscribe() async throws {
                let subscription = CKDatabaseSubscription(subscriptionID: "changes")
                subscription.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
                try await database.save(subscription)
            }
        }

        @Test(
            "A program fetches at its first launch, subscribes, and fetches when notified, by push or otherwise (S1-7)",
            arguments: Way.allCases)
        func fetchesWhenTold(by way: Way) async throws {
            let around = try await PushEnvironment(place: .listening)
            var phone = try Program(around.party)
            let laptop = try Program(around.party)
            try await laptop.database.save(CKRecordZone(zoneID: Program.zone))
            try await laptop.write("before")

            #expect(try await phone.fetch() == ["before"], "the first launch")
            try await phone.subscribe()
            try await laptop.write("at rest")
            #expect(try await phone.fetch() == ["at rest"], "a later launch of which nobody told")

            let notification: CKNotification?
            switch way {
            case .pushes:
                try around.phone(phoneToken("a"), of: .phone)
                try await laptop.write("told")
                let push = try #require(await around.apns.requests(atLeast: 1).first)
                let payload = try JSONSerialization.jsonObject(with: Data(push.body)) as? [String: Any]
                notification = CKNotification(fromRemoteNotificationDictionary: try #require(payload))
            case .withoutPushes:
                let notifications = try await phone.container.remoteNotifications()
                try await laptop.write("told")
                var iterator = notifications.makeAsyncIterator()
                notification = try await iterator.next()?.notification
                #expect(around.apns.requests.isEmpty)
            }
            #expect(notification?.subscriptionID == "changes")
            #expect(try await phone.fetch() == ["told"])
            try await around.end()
        }
    }
}
