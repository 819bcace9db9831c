package import CloudKitWire
import NephosStorage

/// Which names are valid (docs/protocol.md, "Names").
package enum NameRules {
    package static func checkRecord(_ name: Name) throws(Refusal) {
        try check(name, what: "recordName")
        if name.bytes.first == UInt8(ascii: "_") {
            throw .badRequest("recordName must not start with '_': such names are reserved for the server")
        }
    }

    /// Zones, the default zone included.
    static func checkZone(_ name: Name) throws(Refusal) {
        guard name != defaultZoneName else { return }
        try check(name, what: "zoneName")
        if name.bytes.first == UInt8(ascii: "_") {
            throw .badRequest("zoneName must not start with '_': such names are reserved for the server")
        }
    }

    /// Record types: a letter, then letters, digits and `_`.
    package static func checkType(_ name: Name) throws(Refusal) {
        guard (1...255).contains(name.bytes.count), let first = name.bytes.first, first.isLetter,
            name.bytes.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") })
        else {
            if name == ShareType.name {
                throw .badDatabase("records of the public database are not shared: they are for everybody already")
            }
            throw .badRequest(
                "recordType must be 1 to 255 letters, digits and '_', and start with a letter: '\(excerpt(name))'")
        }
    }

    /// - Parameter what: The key in requests.
    package static func check(_ name: Name, what: String) throws(Refusal) {
        guard (1...255).contains(name.bytes.count) else {
            throw .badRequest("\(what) must have 1 to 255 bytes, this one has \(name.bytes.count)")
        }
        if name.hasControlCharacters { throw .badRequest("\(what) must not contain control characters") }
    }

    /// Enough of a name to recognize it in a message.
    private static func excerpt(_ name: Name) -> String { String(name.text.prefix(40)) }
}
