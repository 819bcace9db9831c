package import Audience
package import CloudKit
package import FeatureSwitches
import Foundation

extension CKRecord {
    /// The flag that this record describes, or what is wrong with it.
    package var flag: Result<Flag, FlagFailure> {
        Result { () throws(FlagFailure) in try readFlag() }
    }

    private func readFlag() throws(FlagFailure) -> Flag {
        var fields = FlagFields(id: recordID.recordName)
        for (name, path) in Self.flagFields {
            guard let value = self[name] else { continue }
            guard let text = value as? String else { throw FlagFailure(name, "it must be a STRING") }
            fields[keyPath: path] = text
        }
        return try Flag(fields)
    }

    private static let flagFields: [(name: String, path: any WritableKeyPath<FlagFields, String?> & Sendable)] = [
        ("state", \.state), ("kind", \.kind), ("variants", \.variants), ("offVariant", \.offVariant),
        ("defaultVariant", \.defaultVariant), ("rules", \.rules), ("prerequisites", \.prerequisites),
        ("schedule", \.schedule), ("salt", \.salt),
    ]

    /// The flags in the fields of this record: 0 and 1 are off and on, other numbers and texts are values.
    package var switches: [FlagAnswer] {
        allKeys().sorted().compactMap { key in
            switch self[key] {
            case let number as Int where number == 0 || number == 1:
                FlagAnswer(id: key, value: .bool(number == 1), variant: number == 1 ? "on" : "off")
            case let number as Int: FlagAnswer(id: key, value: .integer(Int64(number)))
            case let number as Double: FlagAnswer(id: key, value: .double(number))
            case let text as String: FlagAnswer(id: key, value: .string(text))
            default: nil
            }
        }
    }
}
