import CloudKitWire
import Foundation
import NephosHTTP
import NephosRunner
import Testing

@Suite("Small values of the transport")
struct RequestIDTests {
    @Test("A request id is an uppercase UUID of version 4, and unique")
    func ids() throws {
        var seen: Set<String> = []
        for _ in 0..<10_000 {
            let text = RequestID.next().text
            #expect(UUID(uuidString: text)?.uuidString == text)
            seen.insert(text)
        }
        #expect(seen.count == 10_000)
    }

    @Test(
        "The calendar agrees with Foundation's",
        arguments: [0, 951_782_400, 1_709_164_800, 4_102_444_799, 1_763_714_000])
    func calendar(second: Int64) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for step in 0..<500 {
            let moment = second + Int64(step) * 100_003
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second, .weekday],
                from: Date(timeIntervalSince1970: Double(moment)))
            let time = CivilTime(second: moment)
            #expect([time.year, time.month, time.day] == [parts.year, parts.month, parts.day])
            #expect([time.hour, time.minute, time.second] == [parts.hour, parts.minute, parts.second])
            #expect(time.weekday + 1 == parts.weekday)
        }
    }
}
