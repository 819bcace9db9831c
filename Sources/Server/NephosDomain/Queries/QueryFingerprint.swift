import CloudKitWire
import Crypto
import NephosStorage

/// Identifies a query, so that a marker works only for the query that it came from: 16 bytes of SHA-256 over what is queried, by
/// whom, and in what order. The spelling of the request and the page size do not matter.
struct QueryFingerprint {
    static let byteCount = 16

    private var bytes: [UInt8] = []

    static func of(_ scan: QueryScan, by user: UserID?) -> [UInt8] {
        var print = QueryFingerprint()
        print.add(user)
        print.add(scan.extent)
        print.add(Int64(scan.type))
        print.add(scan.conditions) { print, condition in
            print.add(condition.fields) { $0.add($1) }
            print.add(condition.test)
        }
        print.add(scan.orders) { print, order in
            print.add(order.field)
            print.add(order.isDescending ? 1 : 0)
            print.add(order.origin == nil ? 0 : 1)
            if let origin = order.origin { print.add(origin) }
        }
        return Array(SHA256.hash(data: print.bytes).prefix(byteCount))
    }

    // MARK: Parts

    private mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func add(double number: Double) { add(Int64(bitPattern: number.bitPattern)) }

    private mutating func add(_ text: Bytes) {
        add(Int64(text.count))
        bytes.append(contentsOf: text)
    }

    private mutating func add<Part>(_ parts: [Part], _ add: (inout QueryFingerprint, Part) -> Void) {
        self.add(Int64(parts.count))
        for part in parts { add(&self, part) }
    }

    private mutating func add(_ user: UserID?) {
        add(user == nil ? 0 : 1)
        guard let user else { return }
        add(Int64(bitPattern: user.high))
        add(Int64(bitPattern: user.low))
    }

    private mutating func add(_ place: Place) {
        add(double: place.latitude)
        add(double: place.longitude)
    }

    private mutating func add(_ extent: QueryScan.Extent) {
        switch extent {
        case .database: add(0)
        case .zone(.name(_, let name)):
            add(1)
            add(name.bytes)
        case .zone(.number(_, let number)):
            add(2)
            add(number)
        }
    }

    private mutating func add(_ field: RecordField) {
        switch field {
        case .field(let name, let type, let epoch):
            add(0)
            add(name.bytes)
            add(type.rawValue)
            add(epoch)
        case .recordName: add(1)
        case .createdAt: add(2)
        case .createdBy: add(3)
        case .modifiedAt: add(4)
        case .modifiedBy: add(5)
        case .parent: add(6)
        case .share: add(7)
        case .parentInShare: add(8)
        }
    }

    private mutating func add(_ value: QueryValue) {
        switch value {
        case .integer(let number):
            add(0)
            add(number)
        case .double(let number):
            add(1)
            add(double: number)
        case .bytes(let bytes):
            add(2)
            add(bytes)
        case .user(let user):
            add(3)
            add(user)
        }
    }

    private mutating func add(_ kind: Int64, _ values: [QueryValue]) {
        add(kind)
        add(values) { $0.add($1) }
    }

    private mutating func add(_ bound: QueryCondition.Bound?) {
        add(bound == nil ? 0 : 1)
        guard let bound else { return }
        add(bound.isIncluded ? 1 : 0)
        add(bound.value)
    }

    private mutating func add(_ test: QueryCondition.Test) {
        switch test {
        case .isAny(let values): add(0, values)
        case .isNone(let values): add(1, values)
        case .isBetween(let lower, let upper):
            add(2)
            add(lower)
            add(upper)
        case .beginsWith(let prefix): add(3, [.bytes(prefix)])
        case .beginsNotWith(let prefix): add(4, [.bytes(prefix)])
        case .holdsAny(let values): add(5, values)
        case .holdsAll(let values): add(6, values)
        case .holdsNone(let values): add(7, values)
        case .holdsNotAll(let values): add(8, values)
        case .memberBeginsWith(let prefix): add(9, [.bytes(prefix)])
        case .noMemberBeginsWith(let prefix): add(10, [.bytes(prefix)])
        case .hasTokens(let words, let all):
            add(all ? 11 : 12)
            add(words) { $0.add($1) }
        case .isNear(let place, let metres):
            add(13)
            add(place)
            add(double: metres)
        // Depends on what the caller sees, not on what is queried.
        case .isOpen: break
        }
    }
}
