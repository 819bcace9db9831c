import CloudKitWire
import NephosQueries
import NephosStorage
import Testing

@Suite struct ShapeTests {
    static let shapes: [IndexShape] = [
        IndexShape(type: 1, parts: [.order(.recordName, isDescending: false)]),
        IndexShape(
            type: .max,
            parts: [
                .value(.field("a", .int64, epoch: 3)), .value(.createdBy),
                .member(.field("täg", .stringList, epoch: 0)),
                .order(.createdAt, isDescending: true), .order(.field("z", .double, epoch: .max), isDescending: false),
            ]),
        IndexShape(type: 7, parts: [.token([.field("t", .string, epoch: 0), .field("u", .stringList, epoch: 1)])]),
        IndexShape(
            type: 7,
            parts: [
                .value(.parent), .value(.share), .value(.modifiedBy), .value(.modifiedAt),
                .cell(.field("where", .location, epoch: 0)),
            ]),
    ]

    @Test("A shape survives a round trip", arguments: shapes)
    func roundTrip(shape: IndexShape) {
        #expect(IndexShape(bytes: shape.bytes) == shape)
    }

    @Test("Truncated, extended and unrelated bytes are not a valid shape", arguments: shapes)
    func damaged(shape: IndexShape) {
        let bytes = shape.bytes
        for end in 0..<bytes.count { #expect(IndexShape(bytes: Array(bytes[..<end])) == nil) }
        #expect(IndexShape(bytes: bytes + [0]) == nil)
        #expect(IndexShape(bytes: [bytes[0] + 1] + bytes.dropFirst()) == nil)
    }

    @Test("The checksum of an index covers every column")
    func checksum() {
        let row = IndexRow(database: 1, number: 2, shape: Self.shapes[1], builtTo: 4, createdAt: 5, usedAt: 6)
        var sums: Set<Int64> = [row.checksum]
        func changed(_ change: (inout IndexRow) -> Void) {
            var other = row
            change(&other)
            #expect(sums.insert(other.checksum).inserted)
        }
        changed { $0.database = 9 }
        changed { $0.number = 9 }
        changed { $0.shape = Self.shapes[0] }
        changed { $0.state = .ready }
        changed { $0.builtTo = 9 }
        changed { $0.createdAt = 9 }
        changed { $0.usedAt = 9 }
    }
}
