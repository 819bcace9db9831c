import CloudKitWire
import NephosStorage

/// Takes over for a person what a device has seen before they signed in there.
struct TransferSeen: Sendable {
    private let person: [UInt8]
    /// For each message: its salt, and the device's key in its rows.
    private let devices: [(message: Name, salt: [UInt8], key: [UInt8])]

    /// - Parameter salts: Of the messages that the device has seen, with their names.
    /// - Returns: nil if there is no person, or no device.
    init?(_ salts: [(message: Name, salt: [UInt8])], by seer: MessageViewer) {
        guard let person = seer.personKey, seer.device != nil else { return nil }
        self.person = person
        devices = salts.compactMap { message, salt in seer.deviceKey(salt).map { (message, salt, $0) } }
    }

    private var salts: Scan<MessageSaltRow> { MessageSaltRow.of(devices.map(\.message)) }
    private var rows: Scan<SeenRow> {
        SeenRow.keyed(devices.flatMap { [($0.message, person), ($0.message, $0.key)] })
    }

    var reading: ReadSet {
        var set = ReadSet()
        set.databases = [Messages.database]
        set.ask(salts)
        set.ask(rows)
        return set
    }

    func decide(_ reading: Reading) -> Decision<Void> {
        let current = Dictionary(reading[salts].map { ($0.message, $0.salt) }) { $1 }
        let rows = Dictionary(grouping: reading[rows]) { $0.message }
        var set = WriteSet()
        // If the message was forgotten meanwhile, it has another salt, or none.
        for (message, salt, key) in devices where current[message] == salt {
            guard let ofDevice = rows[message]?.first(where: { $0.seer == key }), !ofDevice.isTakenOver else {
                continue
            }
            if rows[message]?.contains(where: { $0.seer == person }) != true {
                var row = ofDevice
                row.seer = person
                set.put(row)
            }
            var taken = ofDevice
            taken.isTakenOver = true
            set.put(taken, replacing: ofDevice)
        }
        return .write(set, ())
    }
}
