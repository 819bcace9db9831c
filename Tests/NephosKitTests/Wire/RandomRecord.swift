import CloudKit
import NephosTesting

/// Random records, with values of every type.
struct RandomRecord {
    private static let texts = ["", "a", "Zürich 🐱", "\"quoted\" \\ \n\u{1}", String(repeating: "long ", count: 200)]
    private static let wholes: [Int64] = [.min, -1, 0, 1, 42, 1 << 53, .max]
    private static let halves: [Double] = [-1e300, -0.5, 0, 0.1, 1e-300, 123_456.789]

    static func make(_ dice: inout SeededGenerator) -> CKRecord {
        let zone = CKRecordZone.ID(zoneName: "Z\(Int.random(in: 0...3, using: &dice))")
        let record = CKRecord(
            recordType: "Type", recordID: CKRecord.ID(recordName: "r\(dice.next())", zoneID: zone))
        for number in 0..<Int.random(in: 0...8, using: &dice) {
            let key = "f\(number)"
            if dice.once(in: 6) {
                record.encryptedValues[key] = texts.randomElement(using: &dice) ?? ""
            } else {
                record[key] = value(&dice, zone)
            }
        }
        if dice.once(in: 3) { record.setParent(CKRecord.ID(recordName: "p", zoneID: zone)) }
        return record
    }

    private static func value(_ dice: inout SeededGenerator, _ zone: CKRecordZone.ID) -> any CKRecordValueProtocol {
        let count = Int.random(in: 1...3, using: &dice)
        switch Int.random(in: 0..<11, using: &dice) {
        case 0: return texts.randomElement(using: &dice) ?? ""
        case 1: return wholes.randomElement(using: &dice) ?? 0
        case 2: return halves.randomElement(using: &dice) ?? 0
        case 3: return dice.once(in: 2)
        case 4: return date(&dice)
        case 5: return Data((0..<count * 7).map { _ in UInt8.random(in: .min ... .max, using: &dice) })
        case 6: return reference(&dice, zone)
        case 7: return place(&dice)
        case 8: return (0..<count).map { _ in wholes.randomElement(using: &dice) ?? 0 }
        case 9: return (0..<count).map { _ in texts.randomElement(using: &dice) ?? "" }
        default: return (0..<count).map { _ in date(&dice) }
        }
    }

    /// In whole milliseconds, as records store them.
    private static func date(_ dice: inout SeededGenerator) -> Date {
        Date(timeIntervalSince1970: Double(Int64.random(in: -1_000_000_000...4_000_000_000_000, using: &dice)) / 1_000)
    }

    private static func reference(_ dice: inout SeededGenerator, _ zone: CKRecordZone.ID) -> CKRecord.Reference {
        CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "t\(dice.next() % 9)", zoneID: zone),
            action: dice.once(in: 2) ? .deleteSelf : .none)
    }

    private static func place(_ dice: inout SeededGenerator) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(
                latitude: Double.random(in: -90...90, using: &dice),
                longitude: Double.random(in: -180...180, using: &dice)),
            altitude: 12.5, horizontalAccuracy: 3, verticalAccuracy: 4, course: 90, speed: 1.5, timestamp: date(&dice))
    }
}
