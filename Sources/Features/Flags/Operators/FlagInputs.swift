import CloudKitWire
import NephosRunner

extension Input where Value == String {
    static var flagID: Input { argument("flag", help: "The flag's id, the name of its record.") }
}
