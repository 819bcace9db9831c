import Foundation
import Testing

/// The compiler checks with `Inventory` that Apple's names exist (docs/client.md). This suite checks the list.
@Suite struct InventoryTests {
    @available(*, deprecated, message: "It names what is deprecated as well.")
    @Test("The list of symbols matches what the compiler was shown, each name once; NEPHOS_WRITE_SYMBOLS rewrites it")
    func lists() throws {
        let symbols = Inventory.all.symbols
        #expect(Set(symbols.map(\.name)).count == symbols.count)
        let text = symbols.map { "\($0.line)\n" }.joined()
        let list = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "symbols.txt")
        if ProcessInfo.processInfo.environment["NEPHOS_WRITE_SYMBOLS"] != nil {
            try text.write(to: list, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: list, encoding: .utf8) == text)
    }

    @available(*, deprecated, message: "It names what is deprecated as well.")
    @Test("Constants, cases and options have Apple's values")
    func values() { #expect(Inventory.all.wrong.isEmpty) }

    @available(*, deprecated, message: "It names what is deprecated as well.")
    @Test("Prints the number of symbols")
    func prints() {
        let symbols = Inventory.all.symbols
        var topics: [String] = []
        for symbol in symbols where !topics.contains(symbol.topic) { topics.append(symbol.topic) }
        for topic in topics {
            let here = symbols.filter { $0.topic == topic }
            print(count(here, topic))
        }
        print(count(symbols, "All"))
    }

    private func count(_ symbols: [Inventory.Symbol], _ topic: String) -> String {
        let now = symbols.count { $0.state == .now }
        let title = topic.padding(toLength: 38, withPad: " ", startingAt: 0)
        return "\(title) \(symbols.count) symbols, \(now) now, \(symbols.count - now) not yet"
    }
}
