import CloudKitWire
import NephosStorage

extension StorageCase {
    static let deliveries: [StorageCase] = [
        devicesOfPeople, devicesOfKeys, deviceScans, deviceChanges, deliveriesComeBack, dueDeliveries, deliveriesToSend,
        deliveriesOver, deliveryChanges, leasedOnce, pushLog, deliveryNews,
    ]

    static let devicesOfPeople = StorageCase("devices are returned with every column, for their owner") { tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        var phone = one.device(1, .apns)
        phone.client = "caf\u{E9}"
        phone.isDevelopment = true
        phone.address = "ab12"
        phone.secret = Secret([1, 2])
        phone.usedAt = 9
        let (browser, other) = (one.device(2), two.device(1))
        try await one.add([phone, browser, other])
        try tenant.restart()
        func sorted(_ rows: [DeviceRow]) -> [DeviceRow] {
            rows.sorted { ($0.key.database, $0.key.id[0]) < ($1.key.database, $1.key.id[0]) }
        }
        try expectEqual(sorted(try one.devices(of: one.user)), [phone, browser], "one person's")
        try expectEqual(sorted(try one.devices(of: two.user, one.user)), [phone, browser, other], "both persons'")
        let nobody = UserID(high: 1, low: 1)
        try expectEqual(try one.devices(of: nobody), [], "of a stranger")
        try expectEqual(
            sorted(try one.rows(DeviceRow.keyed([other.key, phone.key, two.deviceKey(5)]))), [phone, other], "by key")
        try expectEqual(sorted(try one.rows(DeviceRow.withID(phone.key.id))), [phone, other], "of one id")
    }

    static let devicesOfKeys = StorageCase("the devices of a server key belong to the public database") { tenant in
        let key = UserRow(
            id: UserID(high: 9, low: 9), source: .serverKey, sourceID: "k", privateDatabase: 0, createdAt: 1)
        let database = TestDatabase(tenant: tenant, number: 1, user: key.id)
        let device = database.device(1, .webhook)
        let row = ServerKeyRow(id: "k", publicKey: [1], user: key.id, createdAt: 1)
        try await database.writeRows { writes in
            writes.users = [key]
            writes.catalog = [CatalogWrite(new: .key(row))]
        }
        try await database.add([device])
        try expectEqual(try database.devices(of: key.id), [device], "the key's")
    }

    static let deviceScans = StorageCase("devices are listed by channel, and by the duration of their silence") {
        tenant in
        let database = try await tenant.person(1)
        let rows = (UInt8(1)...4).map { database.device($0, $0 == 4 ? .webhook : .courier, at: Milliseconds(10 - $0)) }
        try await database.add(rows)
        try expectEqual(try database.rows(DeviceRow.all(.courier, limit: 2)), [rows[2], rows[1]], "the first couriers")
        try expectEqual(try database.rows(DeviceRow.all(.webhook, limit: 9)), [rows[3]], "the webhooks")
        try expectEqual(
            try database.rows(DeviceRow.silent(.courier, since: 9, limit: 9)), [rows[2], rows[1]], "the silent ones")
        try expectEqual(try database.rows(DeviceRow.silent(.courier, since: 9, limit: 1)), [rows[2]], "the most silent")
    }

    static let deviceChanges = StorageCase(
        "removing a device removes its deliveries; a device that changed since it was read stays"
    ) { tenant in
        let database = try await tenant.person(1)
        let (one, two) = (database.device(1), database.device(2))
        try await database.add(
            [one, two], [1, 2].flatMap { [database.delivery($0, "a"), database.delivery($0, "b")] })
        var changed = one
        changed.usedAt = 5
        let next = changed
        try await database.writeRows { $0.put(next, replacing: one) }
        try expectEqual(try database.rows(DeviceRow.keyed([one.key])), [changed], "the changed one")
        try expectEqual(try database.rows(DeliveryRow.of(one.key, limit: 9)).count, 2, "its deliveries")
        do {
            try await database.writeRows { $0.remove(one) }
            throw PromiseBroken("a device that changed since it was read was removed", file: #fileID, line: #line)
        } catch is StorageError {}
        try await database.writeRows { $0.remove(next) }
        try expectEqual(try database.devices(of: database.user), [two], "the devices that are left")
        try expectEqual(try database.rows(DeliveryRow.of(one.key, limit: 9)), [], "the deliveries of the other")
        try expectEqual(
            try database.rows(DeliveryRow.of(two.key, limit: 9)).count, 2, "the deliveries of this one")
    }

    static let deliveriesComeBack = StorageCase("deliveries are returned with every column, by key and by device") {
        tenant in
        let database = try await tenant.person(1)
        var full = database.delivery(1, "caf\u{E9}", .webhook, dueAt: 5, slot: 3)
        full.leasedUntil = 8
        full.attempts = 2
        let rows = [full, database.delivery(1, "a", .webhook), database.delivery(2, "a")]
        try await database.add([database.device(1, .webhook), database.device(2)], rows)
        try tenant.restart()
        try expectEqual(
            try database.rows(DeliveryRow.keyed(rows.map(\.key))).sorted { $0.key < $1.key },
            rows.sorted { $0.key < $1.key },
            "by key")
        var missing = rows[1].key
        missing.slot = 1
        try expectEqual(try database.rows(DeliveryRow.keyed([missing])), [], "a missing one")
        try expectEqual(
            try database.rows(DeliveryRow.of(database.deviceKey(1), limit: 9)).sorted { $0.key < $1.key },
            rows.prefix(2).sorted { $0.key < $1.key }, "of a device")
        try expectEqual(try database.rows(DeliveryRow.of(database.deviceKey(1), limit: 1)).count, 1, "the first")
    }

    static let dueDeliveries = StorageCase(
        "a device's deliveries are in the order in which they become due, without those being sent"
    ) { tenant in
        let database = try await tenant.person(1)
        var leased = database.delivery(1, "leased", dueAt: 1)
        leased.leasedUntil = 100
        var later = database.delivery(1, "a", dueAt: 40)
        later.sequence += 1
        let rows = [
            database.delivery(1, "late", dueAt: 60), database.delivery(1, "c", dueAt: 30), later,
            database.delivery(1, "b", dueAt: 40), leased, database.delivery(2, "x", dueAt: 50),
        ]
        try await database.add([database.device(1), database.device(2)], rows)
        func waiting(_ now: Milliseconds, _ perDevice: Int) throws -> [[Name]] {
            let devices = [database.deviceKey(2), database.deviceKey(1), database.deviceKey(3)]
            let found = try devices.flatMap {
                try database.rows(DeliveryRow.waiting(for: $0, now: now, limit: perDevice))
            }
            return [UInt8(1), 2].map { number in
                found.filter { $0.key.device == database.deviceKey(number).id }.map(\.key.subscription)
            }
        }
        try expectEqual(try waiting(50, 9), [["c", "b", "a", "late"], ["x"]], "those that nobody is sending")
        try expectEqual(try waiting(50, 1), [["c"], ["x"]], "the first of each")
        try expectEqual(
            try waiting(100, 9), [["leased", "c", "b", "a", "late"], ["x"]], "after the lease has expired")
    }

    static let deliveriesToSend = StorageCase("outgoing deliveries are found for all devices, the first due first") {
        tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        var leased = one.delivery(2, "leased", .webhook, dueAt: 1)
        leased.leasedUntil = 100
        try await one.add(
            [one.device(1), one.device(2, .webhook), one.device(3, .apns), two.device(1, .webhook)],
            [
                one.delivery(1, "asked for"), one.delivery(2, "second", .webhook, dueAt: 20), leased,
                one.delivery(3, "phone", .apns, dueAt: 15),
                two.delivery(1, "first", .webhook, dueAt: 10), two.delivery(1, "late", .webhook, dueAt: 30),
            ])
        func names(_ now: Milliseconds, _ limit: Int) throws -> [Name] {
            try one.rows(DeliveryRow.toSend(.webhook, now: now, limit: limit)).map(\.key.subscription)
        }
        try expectEqual(try names(20, 9), ["first", "second"], "at 20")
        try expectEqual(try names(20, 1), ["first"], "the first at 20")
        try expectEqual(try names(100, 9), ["leased", "first", "second", "late"], "after the lease has expired")
        try expectEqual(
            try one.rows(DeliveryRow.toSend(.apns, now: 20, limit: 9)).map(\.key.subscription), ["phone"], "to phones")
    }

    static let deliveriesOver = StorageCase("an expired delivery is not sent, and is found when it is old") { tenant in
        let database = try await tenant.person(1)
        var old = database.delivery(1, "old", .webhook, dueAt: DeliveryRow.completed)
        old.createdAt = 5
        var young = database.delivery(1, "young", .webhook, dueAt: DeliveryRow.completed)
        young.createdAt = 50
        try await database.add([database.device(1, .webhook)], [old, young, database.delivery(1, "waits", .webhook)])
        try expectEqual(
            try database.rows(DeliveryRow.completed(createdBefore: 50, limit: 9)), [old], "the old deliveries")
        try expectEqual(
            try database.rows(DeliveryRow.toSend(.webhook, now: 1_000, limit: 9)).map(\.key.subscription), ["waits"],
            "the outgoing deliveries")
    }

    static let deliveryChanges = StorageCase(
        "a delivery is changed and removed only if it is unchanged since it was read"
    ) { tenant in
        let database = try await tenant.person(1)
        let rows = (0..<5).map { database.delivery(1, Name("\($0)")) }
        try await database.add([database.device(1)], rows)
        try await database.change(rows.map(\.key)) { row in
            var row = row
            if row.key.subscription == "0" { return nil }
            row.changes += 1
            row.leasedUntil = 4
            row.payload = Bytes("{}")
            return row
        }
        let left = try database.rows(DeliveryRow.of(database.deviceKey(1), limit: 9))
        try expectEqual(left.map(\.key.subscription), ["1", "2", "3", "4"], "what is left")
        try expect(left.allSatisfy { $0.changes == 3 && $0.payload == Bytes("{}") }, "not all were changed")
        for next in [nil, rows[1]] {
            do {
                try await database.writeRows { writes in
                    if let next { writes.put(next, replacing: rows[1]) } else { writes.remove(rows[1]) }
                }
                throw PromiseBroken("a delivery that changed since it was read was changed", file: #fileID, line: #line)
            } catch is StorageError {}
        }
    }

    static let leasedOnce = StorageCase("of deliveries that many take concurrently each is given to one") { tenant in
        let database = try await tenant.person(1)
        let other = database.through(try tenant.secondEngine())
        let rows = (0..<40).map { database.delivery(1, Name("\($0)"), .webhook) }
        try await database.add([database.device(1, .webhook)], rows)
        let names = try await withThrowingTaskGroup(of: [Name].self) { group in
            for number in 0..<16 {
                let one = number % 2 == 0 ? database : other
                group.addTask {
                    let found = try await one.change(DeliveryRow.toSend(.webhook, now: 5, limit: 7)) { row in
                        var row = row
                        row.leasedUntil = 50
                        return row
                    }
                    return found.map(\.key.subscription)
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try expectEqual(Set(names).count, names.count, "deliveries that two leased")
        let left = try database.rows(DeliveryRow.toSend(.webhook, now: 5, limit: 99))
        try expectEqual(left.count + names.count, rows.count, "all of them")
    }

    static let pushLog = StorageCase("the push log is read from both ends, for one person and for all, and expires") {
        tenant in
        let (one, two) = (try await tenant.person(1), try await tenant.person(2))
        var strange = one.entry(1, at: 20, nonce: 4)
        strange.answer = "410 caf\u{E9}"
        strange.outcome = .deviceGone
        let rows = [one.entry(1, at: 10), one.entry(1, at: 20, nonce: 3), strange, two.entry(1, at: 30, nonce: -1)]
        try await one.add([], [], [rows[3], rows[1], rows[0], rows[2]])
        try tenant.restart()
        try expectEqual(try one.rows(PushLogRow.newest(of: nil, limit: 9)), rows.reversed(), "all")
        try expectEqual(
            try one.rows(PushLogRow.newest(of: one.user, limit: 2)), [rows[2], rows[1]], "the newest of one")
        try expectEqual(
            try one.rows(PushLogRow.after(rows[1].at, nonce: rows[1].nonce, limit: 9)), [rows[2], rows[3]],
            "after the second")
        try expectEqual(try one.rows(PushLogRow.before(20, limit: 9)), [rows[0]], "before 20")
        try await one.writeRows { writes in for row in [rows[0], rows[2]] { writes.remove(row) } }
        try expectEqual(try one.rows(PushLogRow.newest(of: nil, limit: 9)), [rows[3], rows[1]], "what is left")
    }

    static let deliveryNews = StorageCase(
        "listeners are notified of events in the process that wrote them, and of deliveries in every process"
    ) { tenant in
        let database = try await tenant.person(1)
        let received = ReceivedNews(of: tenant.engine)
        try await database.defaultZone.save("unwatched")
        try await database.subscribe("a")
        try await database.defaultZone.save("watched")
        try await database.add([database.device(1)], [database.delivery(1, "a")])
        let told = StorageNews.deliveries(tenant.name, to: [database.deviceKey(1).id])
        let events = StorageNews.events(tenant.name, [database.number])
        // News of one commit may arrive after those of the next, and PostgreSQL may report some twice.
        let all = try await received.all { $0.contains(told) && $0.contains(events) }
        try expect(all.contains(events), "events of a watched change: \(all)")
        try expect(all.contains(told), "deliveries: \(all)")
        try expectEqual(all.filter { $0 != told }.count, 1, "news without a subscription: \(all)")
    }
}
