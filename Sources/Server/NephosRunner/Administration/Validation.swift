package import CloudKitWire
package import NephosStorage

/// The rules for values that people type. Each function returns the value as it is stored, or throws ``AdminError/invalid(_:)``.
package enum Validation {
    /// ASCII letters and digits, `.`, `-` and `_`; 1 to 255 of them; not starting with `.`. CloudKit's ids begin with `iCloud.`
    /// and a reversed domain name, but its clients require no particular form.
    package static func containerID(_ id: String) throws(AdminError) -> String {
        let allowed = id.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard allowed, (1...255).contains(id.utf8.count), id.utf8.first != UInt8(ascii: ".") else {
            throw .invalid(
                InvalidValue(
                    what: "container id", value: id,
                    expected: "1 to 255 letters, digits, '.', '-' and '_', not '.' first, "
                        + "such as iCloud.com.example.app"))
        }
        return id
    }

    /// The address of an account.
    package static func email(_ email: String) throws(AdminError) -> EmailAddress {
        do throws(EmailAddressError) { return try EmailAddress(email) } catch {
            throw .invalid(InvalidValue(what: "email address", value: email, expected: error.expected))
        }
    }

    /// A name that people see: at most 255 bytes, no control characters. May be empty.
    package static func name(_ name: String, of what: String) throws(AdminError) -> String {
        guard name.utf8.count <= 255, isPrintable(name) else {
            throw .invalid(
                InvalidValue(what: what, value: name, expected: "at most 255 bytes without control characters"))
        }
        return name
    }

    /// A container's own role: 1 to 255 bytes, no control characters, not starting with `_`, and no character that would end a
    /// quoted name in a schema file.
    package static func role(_ name: Name) throws(AdminError) {
        guard (1...255).contains(name.bytes.count), isPrintable(name.text), name.bytes.first != UInt8(ascii: "_"),
            !name.bytes.contains(UInt8(ascii: "\""))
        else {
            throw .invalid(
                InvalidValue(
                    what: "role name", value: name.text,
                    expected: "1 to 255 bytes without control characters and quotes, not '_' first"))
        }
    }

    private static func isPrintable(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
